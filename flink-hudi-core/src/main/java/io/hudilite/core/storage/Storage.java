package io.hudilite.core.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * The files of one table. Paths are relative to the table's base path, separated by {@code /},
 * without a leading slash; {@code ""} is the base path itself. Implementations are safe for use by
 * several threads.
 */
public interface Storage {

  /** The base path as the user gave it, for messages and for plans that need full paths. */
  String location();

  /**
   * Replaces the content of a small file that is there. Not atomic: a reader may see no file, an
   * empty one or a part. For what is told again soon.
   *
   * @throws IOException if it is not known what the file holds now
   */
  default void overwrite(String path, byte[] content) throws IOException {
    delete(path);
    createNew(path, content);
  }

  /**
   * Creates a whole file: a reader sees no file or all of {@code content}, also after a crash.
   *
   * @throws FileAlreadyExistsException if the name is taken; nothing was changed
   * @throws IOException if it is unknown whether the file exists now; read it back before a retry
   */
  void createNew(String path, byte[] content) throws IOException;

  /**
   * Opens a new file for writing; parent folders are made. The file counts as written when the
   * stream was closed without an error; until then readers may see a part of it.
   *
   * @throws FileAlreadyExistsException if the name is taken
   */
  OutputStream create(String path) throws IOException;

  /**
   * Opens a file for random reads.
   *
   * @throws NoSuchFileException if there is no such file
   */
  StorageInput open(String path) throws IOException;

  /**
   * The whole content of a small file.
   *
   * @throws NoSuchFileException if there is no such file
   */
  byte[] read(String path) throws IOException;

  /** Whether there is a file or folder of this name. */
  boolean exists(String path) throws IOException;

  /** The files and folders directly in a folder, in no order; empty if there is no such folder. */
  List<StoredFile> list(String folder) throws IOException;

  /** Deletes a file; returns false if there was none. */
  boolean delete(String path) throws IOException;

  /** Deletes a folder with all that is in it; returns false if there was none. */
  boolean deleteFolder(String folder) throws IOException;

  /** Makes a folder and its parents where the storage has folders; nothing where it has none. */
  void makeFolder(String folder) throws IOException;

  /**
   * Gives a folder another name, at once for all readers; parents of the new name must be there.
   *
   * @throws FileAlreadyExistsException if the name is taken; nothing was changed
   * @throws UnsupportedOperationException if the storage cannot do that at once
   */
  default void renameFolder(String from, String to) throws IOException {
    throw new UnsupportedOperationException(location() + " cannot rename folders");
  }
}
