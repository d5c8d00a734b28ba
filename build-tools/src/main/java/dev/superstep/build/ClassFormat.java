package dev.superstep.build;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Raises the classes of a jar to a class file format that the class cache of the JVM takes:
/// `ClassFormat JAR`. Run from its source by the launcher, so it uses nothing but the JDK.
///
/// The cache holds only classes that were checked by the verifier of format 50 and later, which
/// reads the types at each branch target from a table. Older classes have no such table. It is
/// computed here; the code stays as it is.
final class ClassFormat {
  /// The first format whose classes must have the table.
  static final int CACHED_MIN = ClassFile.JAVA_6_VERSION;

  private static final int RAISED = ClassFile.JAVA_17_VERSION;

  private final ClassFile classes;

  private ClassFormat(ClassLoader hierarchy) {
    var resolver =
        ClassHierarchyResolver.ofResourceParsing(hierarchy)
            .orElse(ClassHierarchyResolver.defaultResolver());
    classes =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            // With the pool of the original the methods would be copied without a look.
            ConstantPoolSharingOption.NEW_POOL,
            ClassHierarchyResolverOption.of(resolver));
  }

  public static void main(String[] arguments) throws IOException {
    var jar = Path.of(arguments[0]);
    var raised = jar.resolveSibling(jar.getFileName() + ".raised");
    copy(jar, raised);
    Files.move(raised, jar, StandardCopyOption.ATOMIC_MOVE);
  }

  /// Copies a jar and raises the classes that need it.
  static void copy(Path jar, Path to) throws IOException {
    try (var in = new ZipFile(jar.toFile());
        var hierarchy = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
        var out = new ZipOutputStream(Files.newOutputStream(to))) {
      var format = new ClassFormat(hierarchy);
      for (var entry : in.stream().toList()) {
        var bytes = in.getInputStream(entry).readAllBytes();
        var copied = new ZipEntry(entry.getName());
        // The copy is the same whenever it is made.
        copied.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copied);
        out.write(entry.getName().endsWith(".class") ? format.raised(bytes) : bytes);
        out.closeEntry();
      }
    }
  }

  private byte[] raised(byte[] bytes) {
    var model = classes.parse(bytes);
    return model.majorVersion() < CACHED_MIN ? raised(model) : bytes;
  }

  private byte[] raised(ClassModel model) {
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(RAISED, 0);
          } else {
            builder.with(element);
          }
        };
    return classes.transformClass(
        model, ClassTransform.transformingMethodBodies((code, x) -> code.with(x)).andThen(version));
  }
}
