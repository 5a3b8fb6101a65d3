package io.hudilite.linkcheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** One class: its members, and what it refers to. Names are internal, with slashes. */
final class ClassFile extends ClassVisitor {

  /** Use of a method or field of another class. */
  record MemberUse(String owner, String name, String descriptor, boolean ofInterface) {
    String key() {
      return name + descriptor;
    }

    boolean isMethod() {
      return descriptor.startsWith("(");
    }

    @Override
    public String toString() {
      return owner.replace('/', '.') + "." + name + " " + descriptor;
    }
  }

  private String name;
  private int access;
  private String superName;
  private List<String> interfaces = List.of();

  /** Access flags by name and descriptor. */
  private final Map<String, Integer> members = new HashMap<>();

  private final Set<String> types = new LinkedHashSet<>();
  private final Set<MemberUse> uses = new LinkedHashSet<>();

  private ClassFile() {
    super(Opcodes.ASM9);
  }

  static ClassFile of(byte[] bytes) {
    ClassFile file = new ClassFile();
    new ClassReader(bytes).accept(file, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return file;
  }

  String name() {
    return name;
  }

  boolean isInterface() {
    return (access & Opcodes.ACC_INTERFACE) != 0;
  }

  boolean isAbstract() {
    return (access & Opcodes.ACC_ABSTRACT) != 0;
  }

  boolean isPublic() {
    return (access & Opcodes.ACC_PUBLIC) != 0;
  }

  boolean isFinal() {
    return (access & Opcodes.ACC_FINAL) != 0;
  }

  /** Superclass, if there is one, and interfaces. */
  List<String> parents() {
    List<String> parents = new ArrayList<>();
    if (superName != null) {
      parents.add(superName);
    }
    parents.addAll(interfaces);
    return parents;
  }

  Map<String, Integer> members() {
    return members;
  }

  Set<String> types() {
    return types;
  }

  Set<MemberUse> uses() {
    return uses;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String superName, String[] parents) {
    this.name = name;
    this.access = access;
    this.superName = superName;
    this.interfaces = parents == null ? List.of() : List.of(parents);
    types.addAll(parents());
  }

  @Override
  public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    return null;
  }

  @Override
  public FieldVisitor visitField(int access, String name, String descriptor, String s, Object v) {
    members.put(name + descriptor, access);
    mention(Type.getType(descriptor));
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    members.put(name + descriptor, access);
    mention(Type.getMethodType(descriptor));
    if (exceptions != null) {
      types.addAll(List.of(exceptions));
    }
    return new Body();
  }

  private void mention(Type type) {
    switch (type.getSort()) {
      case Type.ARRAY -> mention(type.getElementType());
      case Type.OBJECT -> types.add(type.getInternalName());
      case Type.METHOD -> {
        mention(type.getReturnType());
        for (Type argument : type.getArgumentTypes()) {
          mention(argument);
        }
      }
      default -> {}
    }
  }

  private void use(String owner, String name, String descriptor, boolean ofInterface) {
    mention(Type.getObjectType(owner));
    mention(Type.getType(descriptor));
    if (!owner.startsWith("[")) {
      uses.add(new MemberUse(owner, name, descriptor, ofInterface));
    }
  }

  private final class Body extends MethodVisitor {
    Body() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      mention(Type.getObjectType(type));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      use(owner, name, descriptor, false);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean ofInterface) {
      use(owner, name, descriptor, ofInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      mention(Type.getMethodType(descriptor));
      for (Object argument : arguments) {
        if (argument instanceof Handle handle) {
          use(handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
        } else if (argument instanceof Type type) {
          mention(type);
        }
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      if (value instanceof Type type) {
        mention(type);
      }
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      if (type != null) {
        types.add(type);
      }
    }
  }
}
