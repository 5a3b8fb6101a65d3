package io.hudilite.core.testkit;

import io.hudilite.core.storage.MemoryInput;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * A storage that keeps its files in memory. Folders are there once made or once they hold a file.
 * Tells when files were written if it is given a clock.
 */
public final class InMemoryStorage implements Storage {
  private final NavigableMap<String, byte[]> files = new TreeMap<>();
  private final NavigableSet<String> folders = new TreeSet<>();
  private final Map<String, Long> times = new HashMap<>();
  @Nullable private final InstantSource clock;

  public InMemoryStorage() {
    this(null);
  }

  /**
   * @param clock for the modification times of files; null for none
   */
  public InMemoryStorage(@Nullable InstantSource clock) {
    this.clock = clock;
  }

  private void put(String path, byte[] content) {
    files.put(path, content);
    if (clock != null) {
      times.put(path, clock.millis());
    }
  }

  @Override
  public synchronized void overwrite(String path, byte[] content) throws IOException {
    if (!files.containsKey(path)) {
      throw new NoSuchFileException(path);
    }
    put(path, content.clone());
  }

  @Override
  public String location() {
    return "memory:/table";
  }

  @Override
  public synchronized void createNew(String path, byte[] content) throws IOException {
    if (isTaken(path)) {
      throw new FileAlreadyExistsException(path);
    }
    put(path, content.clone());
  }

  @Override
  public synchronized OutputStream create(String path) throws IOException {
    if (isTaken(path)) {
      throw new FileAlreadyExistsException(path);
    }
    put(path, new byte[0]);
    return new ByteArrayOutputStream() {
      private boolean closed;

      @Override
      public void write(byte[] bytes, int offset, int length) {
        super.write(bytes, offset, length);
      }

      @Override
      public void flush() {
        replace(path, toByteArray());
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          flush();
        }
      }
    };
  }

  @Override
  public synchronized StorageInput open(String path) throws IOException {
    return new MemoryInput(path, content(path));
  }

  @Override
  public synchronized byte[] read(String path) throws IOException {
    return content(path).clone();
  }

  @Override
  public synchronized boolean exists(String path) {
    return isTaken(path);
  }

  @Override
  public synchronized List<StoredFile> list(String folder) {
    String prefix = folder.isEmpty() ? "" : folder + "/";
    Map<String, StoredFile> entries = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> file : files.tailMap(prefix).entrySet()) {
      if (!file.getKey().startsWith(prefix)) {
        break;
      }
      String rest = file.getKey().substring(prefix.length());
      int slash = rest.indexOf('/');
      String name = slash < 0 ? rest : rest.substring(0, slash);
      int length = slash < 0 ? file.getValue().length : 0;
      entries.putIfAbsent(
          name, new StoredFile(name, length, slash < 0 ? time(file.getKey()) : 0, slash >= 0));
    }
    for (String made : folders.tailSet(prefix)) {
      if (!made.startsWith(prefix)) {
        break;
      }
      if (made.length() > prefix.length()) {
        String rest = made.substring(prefix.length());
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        entries.putIfAbsent(name, new StoredFile(name, 0, 0, true));
      }
    }
    return List.copyOf(entries.values());
  }

  private long time(String path) {
    return times.getOrDefault(path, 0L);
  }

  @Override
  public synchronized boolean delete(String path) {
    times.remove(path);
    return files.remove(path) != null;
  }

  @Override
  public synchronized boolean deleteFolder(String folder) {
    boolean existed = isTaken(folder);
    files.keySet().removeIf(path -> path.startsWith(folder + "/"));
    folders.removeIf(path -> path.equals(folder) || path.startsWith(folder + "/"));
    return existed;
  }

  @Override
  public synchronized void makeFolder(String folder) {
    if (!folder.isEmpty()) {
      folders.add(folder);
    }
  }

  /** The files by path, as a copy: what a test compares before and after. */
  public synchronized Map<String, byte[]> snapshot() {
    return new TreeMap<>(files);
  }

  /** The paths of all files, sorted. */
  public synchronized List<String> paths() {
    return List.copyOf(files.keySet());
  }

  /** Another storage with the same files. */
  public synchronized InMemoryStorage copy() {
    InMemoryStorage copy = new InMemoryStorage();
    copy.files.putAll(files);
    copy.folders.addAll(folders);
    return copy;
  }

  private synchronized void replace(String path, byte[] content) {
    if (files.containsKey(path)) {
      put(path, content);
    }
  }

  private byte[] content(String path) throws NoSuchFileException {
    byte[] content = files.get(path);
    if (content == null) {
      throw new NoSuchFileException(path);
    }
    return content;
  }

  private boolean isTaken(String path) {
    if (path.isEmpty() || files.containsKey(path) || folders.contains(path)) {
      return true;
    }
    return isBelow(path, files.ceilingKey(path + "/"))
        || isBelow(path, folders.ceiling(path + "/"));
  }

  private static boolean isBelow(String folder, @Nullable String path) {
    return path != null && path.startsWith(folder + "/");
  }

  @Override
  public String toString() {
    return "InMemoryStorage" + Arrays.toString(files.keySet().toArray());
  }
}
