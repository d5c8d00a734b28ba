package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// On the module path the JSON library reads and writes a hidden record only if its package is open
/// to it. A record counts as stored where code names its class as a value, as codecs and tools do,
/// or makes one in a method that writes JSON.
final class OpenedPackagesTest {
  private static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();
  private static final int PUBLIC = 0x0001;

  @Test
  void packages_of_hidden_records_that_are_stored_as_json_are_open_to_the_json_library() {
    var folders =
        Module.all(ROOT).stream()
            .map(Module::classes)
            .filter(folder -> Files.exists(folder.resolve("module-info.class")))
            .toList();
    assertThat(folders).hasSizeGreaterThan(30);
    var closed = new TreeSet<String>();
    for (var folder : folders) closed.addAll(closed(folder));
    assertThat(closed).isEmpty();
  }

  private static Set<String> closed(Path folder) {
    var module = ModuleFinder.of(folder).findAll().iterator().next().descriptor();
    var classes = classes(folder);
    var stored = stored(classes.values());
    return classes.values().stream()
        .filter(type -> type.findAttribute(Attributes.record()).isPresent())
        .filter(type -> stored.contains(name(type)))
        .filter(type -> !isAccessible(type, module, classes))
        .filter(type -> !isOpen(packageOf(type), module))
        .map(type -> packageOf(type) + ": " + name(type).replaceAll(".*/", ""))
        .collect(Collectors.toSet());
  }

  private static Map<String, ClassModel> classes(Path folder) {
    try (var files = Files.walk(folder)) {
      var found = new HashMap<String, ClassModel>();
      var all = files.filter(file -> file.toString().endsWith(".class")).toList();
      for (var file : all) {
        if (file.endsWith("module-info.class")) continue;
        var type = ClassFile.of().parse(file);
        found.put(name(type), type);
      }
      return found;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Set<String> stored(Iterable<ClassModel> classes) {
    var found = new HashSet<String>();
    for (var type : classes) {
      for (var method : type.methods()) method.code().ifPresent(code -> addStored(code, found));
    }
    return found;
  }

  private static void addStored(CodeModel code, Set<String> found) {
    var made = new HashSet<String>();
    boolean isWriting = false;
    for (var element : code) {
      switch (element) {
        case LoadConstantInstruction load when load.constantEntry() instanceof ClassEntry type ->
            found.add(type.asInternalName());
        case InvokeInstruction call -> isWriting |= isJsonOf(call);
        case NewObjectInstruction creation -> made.add(creation.className().asInternalName());
        default -> {}
      }
    }
    if (isWriting) found.addAll(made);
  }

  private static boolean isJsonOf(InvokeInstruction call) {
    return call.owner().asInternalName().equals("dev/superstep/json/Json")
        && call.name().equalsString("of");
  }

  /// Public, as all types around it are, in an exported package.
  private static boolean isAccessible(
      ClassModel type, ModuleDescriptor module, Map<String, ClassModel> classes) {
    boolean isExported =
        module.exports().stream()
            .anyMatch(each -> !each.isQualified() && each.source().equals(packageOf(type)));
    if (!isExported) return false;
    for (var around = type; around != null; around = classes.get(outer(name(around)))) {
      if ((flags(around) & PUBLIC) == 0) return false;
    }
    return true;
  }

  private static int flags(ClassModel type) {
    return type.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(inner -> inner.classes().stream())
        .filter(inner -> inner.innerClass().asInternalName().equals(name(type)))
        .map(InnerClassInfo::flagsMask)
        .findFirst()
        .orElse(type.flags().flagsMask());
  }

  private static boolean isOpen(String name, ModuleDescriptor module) {
    if (module.isOpen()) return true;
    return module.opens().stream()
        .anyMatch(each ->
            each.source().equals(name)
                && (!each.isQualified() || each.targets().contains("tools.jackson.databind")));
  }

  private static String outer(String name) {
    int end = name.lastIndexOf('$');
    return end < 0 ? "" : name.substring(0, end);
  }

  private static String name(ClassModel type) {
    return type.thisClass().asInternalName();
  }

  private static String packageOf(ClassModel type) {
    var name = name(type);
    return name.substring(0, name.lastIndexOf('/')).replace('/', '.');
  }
}
