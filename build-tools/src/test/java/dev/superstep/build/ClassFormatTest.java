package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassFormatTest {
  private static final ClassDesc OLD = ClassDesc.of("old.Sign");
  private static final byte[] NOTICE = "A library.\n".getBytes(StandardCharsets.UTF_8);

  @TempDir Path temp;

  @Test
  void an_old_class_is_raised_and_still_computes_the_same() throws Exception {
    var jar = jar(Map.of("old/Sign.class", old(ClassFile.JAVA_5_VERSION), "NOTICE", NOTICE));
    ClassFormat.main(new String[] {jar.toString()});
    assertThat(version(jar, "old/Sign.class")).isGreaterThanOrEqualTo(ClassFormat.CACHED_MIN);
    try (var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      var sign = loader.loadClass("old.Sign").getMethod("of", int.class);
      assertThat(sign.invoke(null, -5)).isEqualTo(-1);
      assertThat(sign.invoke(null, 5)).isEqualTo(1);
    }
  }

  @Test
  void what_is_no_old_class_is_copied_byte_by_byte() throws Exception {
    byte[] recent = old(ClassFile.JAVA_6_VERSION);
    var jar = jar(Map.of("old/Sign.class", recent, "NOTICE", NOTICE));
    ClassFormat.main(new String[] {jar.toString()});
    assertThat(entry(jar, "old/Sign.class")).isEqualTo(recent);
    assertThat(entry(jar, "NOTICE")).isEqualTo(NOTICE);
  }

  /// Creates a class with a branch and no table of the types at its target.
  private static byte[] old(int version) {
    var type = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
        .build(
            OLD,
            builder ->
                builder
                    .withVersion(version, 0)
                    .withFlags(ClassFile.ACC_PUBLIC)
                    .withMethodBody(
                        "of",
                        type,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code -> {
                          var negative = code.newLabel();
                          code.iload(0).iflt(negative).iconst_1().ireturn();
                          code.labelBinding(negative).iconst_m1().ireturn();
                        }));
  }

  private Path jar(Map<String, byte[]> entries) throws IOException {
    var jar = temp.resolve("library.jar");
    try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (var entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }

  private static byte[] entry(Path jar, String name) throws IOException {
    try (var in = new ZipFile(jar.toFile())) {
      return in.getInputStream(in.getEntry(name)).readAllBytes();
    }
  }

  private static int version(Path jar, String name) throws IOException {
    return ClassFile.of().parse(entry(jar, name)).majorVersion();
  }
}
