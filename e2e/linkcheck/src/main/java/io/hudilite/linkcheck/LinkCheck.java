package io.hudilite.linkcheck;

import io.hudilite.linkcheck.ClassFile.MemberUse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.Opcodes;

/**
 * Checks that all that the classes of a jar want of Flink is on the class path: classes, also those
 * that only signatures name; methods and fields, by descriptor and access; whether a type is a
 * class or an interface; abstract methods that nobody implements; final methods that are
 * overridden.
 *
 * <p>Arguments: the jar, and a name for what is on the class path. Exit code 1 if something is
 * missing.
 */
public final class LinkCheck {
  private static final String CHECKED = "org/apache/flink/";

  private final Map<String, ClassFile> ours = new LinkedHashMap<>();
  private final Map<String, Optional<ClassFile>> others = new HashMap<>();
  private final Set<String> problems = new TreeSet<>();
  private int checkedUses;

  private LinkCheck() {}

  public static void main(String[] arguments) throws IOException {
    LinkCheck check = new LinkCheck();
    check.read(arguments[0]);
    check.run();
    System.out.printf(
        "%s: %d classes of the jar, %d uses of Flink's members, %d problems%n",
        arguments[1], check.ours.size(), check.checkedUses, check.problems.size());
    check.problems.forEach(problem -> System.out.println("  " + problem));
    if (!check.problems.isEmpty() || check.checkedUses == 0) {
      System.exit(1);
    }
  }

  private void read(String path) throws IOException {
    try (JarFile jar = new JarFile(path)) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            ClassFile file = ClassFile.of(in.readAllBytes());
            ours.put(file.name(), file);
          }
        }
      }
    }
  }

  private void run() {
    for (ClassFile file : ours.values()) {
      for (String type : file.types()) {
        if (type.startsWith(CHECKED) && find(type).isEmpty()) {
          problems.add(file.name() + ": no class " + type);
        }
      }
      for (MemberUse use : file.uses()) {
        if (use.owner().startsWith(CHECKED)) {
          checkedUses++;
          checkUse(file, use);
        } else if (ours.containsKey(use.owner()) && inheritsFromFlink(use.owner())) {
          checkedUses++;
          checkInherited(file, use);
        }
      }
      if (inheritsFromFlink(file.name())) {
        checkOverrides(file);
        if (!file.isAbstract() && !file.isInterface()) {
          checkImplemented(file);
        }
      }
    }
  }

  private void checkUse(ClassFile user, MemberUse use) {
    Optional<ClassFile> owner = find(use.owner());
    if (owner.isEmpty()) {
      return; // said already
    }
    if (use.isMethod() && owner.get().isInterface() != use.ofInterface()) {
      problems.add(user.name() + ": " + use.owner() + " changed between class and interface");
    }
    if (!owner.get().isPublic() && !isInSamePackage(user.name(), use.owner())) {
      // Members of a class that is not public are reached through a public subclass only.
      problems.add(user.name() + ": " + use.owner() + " is not public");
    }
    Optional<Declared> declared = declared(use.owner(), use.key());
    if (declared.isEmpty()) {
      problems.add(user.name() + ": no " + use);
    } else {
      checkAccess(user, use, declared.get());
    }
  }

  /** Of a member that one of our classes may have from a class of Flink. */
  private void checkInherited(ClassFile user, MemberUse use) {
    Optional<Declared> declared = declared(use.owner(), use.key());
    if (declared.isEmpty()) {
      problems.add(user.name() + ": no " + use);
    } else if (declared.get().owner().startsWith(CHECKED)) {
      checkAccess(user, use, declared.get());
    }
  }

  private void checkAccess(ClassFile user, MemberUse use, Declared declared) {
    int access = declared.access();
    boolean isProtected = (access & Opcodes.ACC_PROTECTED) != 0;
    boolean isAllowed =
        (access & Opcodes.ACC_PUBLIC) != 0
            || (isProtected && allParents(user.name()).contains(declared.owner()));
    if (!isAllowed) {
      problems.add(user.name() + ": no access to " + use);
    }
  }

  private void checkOverrides(ClassFile file) {
    Set<String> parents = allParents(file.name());
    for (String parent : parents) {
      Optional<ClassFile> inherited = find(parent);
      if (inherited.isEmpty() || !parent.startsWith(CHECKED)) {
        continue;
      }
      if (inherited.get().isFinal()) {
        problems.add(file.name() + ": " + parent + " is final");
      }
      for (Map.Entry<String, Integer> member : inherited.get().members().entrySet()) {
        boolean isFinal =
            (member.getValue() & Opcodes.ACC_FINAL) != 0
                && (member.getValue() & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
        if (isFinal && member.getKey().contains("(") && isOverridden(file, member.getKey())) {
          problems.add(file.name() + ": overrides the final " + parent + "." + member.getKey());
        }
      }
    }
  }

  private static boolean isOverridden(ClassFile file, String method) {
    Integer own = file.members().get(method);
    return own != null && (own & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
  }

  private void checkImplemented(ClassFile file) {
    Set<String> wanted = new LinkedHashSet<>();
    for (String parent : allParents(file.name())) {
      find(parent)
          .ifPresent(
              inherited ->
                  inherited
                      .members()
                      .forEach(
                          (member, access) -> {
                            if ((access & Opcodes.ACC_ABSTRACT) != 0) {
                              wanted.add(member);
                            }
                          }));
    }
    for (String method : wanted) {
      if (!isImplemented(file, method)) {
        problems.add(file.name() + ": does not implement " + method);
      }
    }
  }

  private boolean isImplemented(ClassFile file, String method) {
    Set<String> line = allParents(file.name());
    line.add(file.name());
    return line.stream()
        .flatMap(type -> find(type).stream())
        .map(type -> type.members().get(method))
        .anyMatch(access -> access != null && (access & Opcodes.ACC_ABSTRACT) == 0);
  }

  private record Declared(String owner, int access) {}

  private Optional<Declared> declared(String type, String member) {
    Set<String> line = new LinkedHashSet<>();
    line.add(type);
    line.addAll(allParents(type));
    line.add("java/lang/Object"); // whose methods interfaces have, too
    for (String candidate : line) {
      Optional<Integer> access = find(candidate).map(found -> found.members().get(member));
      if (access.isPresent()) {
        return Optional.of(new Declared(candidate, access.get()));
      }
      // Methods whose descriptor depends on the call, like MethodHandle.invoke, are not Flink's.
    }
    return Optional.empty();
  }

  private boolean inheritsFromFlink(String type) {
    return allParents(type).stream().anyMatch(parent -> parent.startsWith(CHECKED));
  }

  private Set<String> allParents(String type) {
    Set<String> parents = new LinkedHashSet<>();
    collectParents(type, parents);
    return parents;
  }

  private void collectParents(String type, Set<String> into) {
    List<String> parents = find(type).map(ClassFile::parents).orElse(List.of());
    for (String parent : parents) {
      if (into.add(parent)) {
        collectParents(parent, into);
      }
    }
  }

  private static boolean isInSamePackage(String one, String other) {
    return one.substring(0, one.lastIndexOf('/'))
        .equals(other.substring(0, other.lastIndexOf('/')));
  }

  private Optional<ClassFile> find(String type) {
    ClassFile own = ours.get(type);
    return own != null ? Optional.of(own) : others.computeIfAbsent(type, LinkCheck::load);
  }

  private static Optional<ClassFile> load(String type) {
    String resource = type + ".class";
    try (InputStream in = LinkCheck.class.getClassLoader().getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(ClassFile.of(in.readAllBytes()));
    } catch (IOException e) {
      throw new IllegalStateException("Cannot read " + resource, e);
    }
  }
}
