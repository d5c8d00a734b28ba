package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The types of the published modules and their open members, read from class files.
///
/// @param types by binary name, with `$` before nested types
record Api(Map<String, Type> types) {
  private static final String PUBLISHED = "superstep-";
  private static final String TESTS = "Lorg/junit/";

  /// Members that every record and enum has, by name and erased parameters.
  private static final Set<String> COMMON =
      Set.of("toString()", "equals(java.lang.Object)", "hashCode()", "<clinit>()");

  Api {
    types = Map.copyOf(types);
  }

  /// One type.
  ///
  /// @param isVisible whether it is public, as all types around it are, in an exported package
  /// @param parents its supertypes, by binary name
  /// @param members those that are public or protected
  record Type(String name, boolean isVisible, List<String> parents, List<Member> members) {
    Type {
      parents = List.copyOf(parents);
      members = List.copyOf(members);
    }

    String folder() {
      return name.substring(0, name.lastIndexOf('.'));
    }

    boolean isTop() {
      return name.indexOf('$') < 0;
    }
  }

  /// A method, constructor (named `<init>`) or field, without its type arguments.
  ///
  /// @param parameters types, or empty for a field
  record Member(String name, List<String> parameters, String result, boolean isField) {
    Member {
      parameters = List.copyOf(parameters);
    }

    /// The name and the parameters, which tell members of one type apart.
    String key() {
      return isField ? name : name + "(" + String.join(", ", parameters) + ")";
    }
  }

  /// Reads the compiled classes of the published modules below a source tree.
  ///
  /// @param output where each module's classes are, such as `target/classes`
  static Api read(Path root, String output) {
    var types = new TreeMap<String, Type>();
    for (var module : Module.all(root)) {
      var classes = module.folder().resolve(output);
      if (!module.name().startsWith(PUBLISHED) || !Files.isDirectory(classes)) continue;
      var models = models(classes);
      var exported = exported(models);
      var open = open(models);
      for (var model : models) {
        if (model.isModuleInfo() || isLocal(model)) continue;
        var name = name(model.thisClass());
        var type = type(model, open.contains(name) && exported.contains(folder(name)));
        if (!name.endsWith("package-info")) types.put(name, type);
      }
    }
    return new Api(types);
  }

  /// Returns the members of a type and of its supertypes among these types.
  Stream<Member> inherited(String name) {
    var type = types.get(name);
    if (type == null) return Stream.empty();
    return Stream.concat(type.members().stream(), type.parents().stream().flatMap(this::inherited));
  }

  private static List<ClassModel> models(Path classes) {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .sorted()
          .map(Api::model)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassModel model(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> exported(List<ClassModel> models) {
    var exported = new HashSet<String>();
    for (var model : models) {
      model
          .findAttribute(Attributes.module())
          .ifPresent(module ->
              module.exports().stream()
                  .filter(export -> export.exportsTo().isEmpty())
                  .forEach(export ->
                      exported.add(
                          export.exportedPackage().name().stringValue().replace('/', '.'))));
    }
    return exported;
  }

  /// The types that are public, as all types around them are.
  private static Set<String> open(List<ClassModel> models) {
    var open = new HashSet<String>();
    for (var model : models) {
      if (model.flags().has(AccessFlag.PUBLIC)) open.add(name(model.thisClass()));
    }
    // The flags of a nested class say `public` of a protected one as well, which is what is meant.
    for (var model : models) {
      model
          .findAttribute(Attributes.innerClasses())
          .ifPresent(inner -> {
            for (var entry : inner.classes()) {
              boolean isHidden = !entry.has(AccessFlag.PUBLIC) && !entry.has(AccessFlag.PROTECTED);
              if (isHidden) open.remove(name(entry.innerClass()));
            }
          });
    }
    return open.stream().filter(name -> areAllOpen(name, open)).collect(Collectors.toSet());
  }

  private static boolean areAllOpen(String name, Set<String> open) {
    int nested = name.lastIndexOf('$');
    if (nested < 0) return open.contains(name);
    return open.contains(name) && areAllOpen(name.substring(0, nested), open);
  }

  private static boolean isLocal(ClassModel model) {
    return model.flags().has(AccessFlag.SYNTHETIC)
        || model.findAttribute(Attributes.enclosingMethod()).isPresent()
        || name(model.thisClass()).matches(".*\\$\\d+.*");
  }

  private static Type type(ClassModel model, boolean isVisible) {
    var parents = new LinkedHashSet<String>();
    model.superclass().map(Api::name).ifPresent(parents::add);
    model.interfaces().stream().map(Api::name).forEach(parents::add);
    return new Type(name(model.thisClass()), isVisible, List.copyOf(parents), members(model));
  }

  private static List<Member> members(ClassModel model) {
    boolean isFinal = model.flags().has(AccessFlag.FINAL);
    var methods =
        model.methods().stream()
            .filter(method -> isOpen(method.flags().flags(), isFinal) && !isTest(method))
            .map(method -> {
              var type = method.methodTypeSymbol();
              return new Member(
                  method.methodName().stringValue(),
                  type.parameterList().stream().map(Api::text).toList(),
                  text(type.returnType()),
                  false);
            });
    var fields =
        model.fields().stream()
            .filter(field -> isOpen(field.flags().flags(), isFinal))
            .map(field ->
                new Member(
                    field.fieldName().stringValue(),
                    List.of(),
                    text(field.fieldTypeSymbol()),
                    true));
    return Stream.concat(methods, fields).filter(member -> !COMMON.contains(member.key())).toList();
  }

  /// The tests of a conformance suite are run, not called.
  private static boolean isTest(MethodModel method) {
    return method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(all -> all.annotations().stream())
        .anyMatch(annotation -> annotation.className().stringValue().startsWith(TESTS));
  }

  private static boolean isOpen(Set<AccessFlag> flags, boolean isFinal) {
    if (flags.contains(AccessFlag.SYNTHETIC)) return false;
    if (flags.contains(AccessFlag.PUBLIC)) return true;
    return !isFinal && flags.contains(AccessFlag.PROTECTED);
  }

  private static String text(java.lang.constant.ClassDesc type) {
    if (type.isArray()) return text(type.componentType()) + "[]";
    if (type.isPrimitive()) return type.displayName();
    var text = type.descriptorString();
    return text.substring(1, text.length() - 1).replace('/', '.');
  }

  private static String name(ClassEntry type) {
    return type.asInternalName().replace('/', '.');
  }

  private static String folder(String name) {
    int end = name.lastIndexOf('.');
    return end < 0 ? "" : name.substring(0, end);
  }
}
