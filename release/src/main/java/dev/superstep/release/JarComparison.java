package dev.superstep.release;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.cmp.JarArchiveComparatorOptions.ClassPathMode;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiField;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The differences between two versions of a jar that break compiled programs.
///
/// @param before the older version; the packages that it exports are compared
record JarComparison(Path before, Path after) {
  /// Returns a line for each break: the type or member, and what is no longer as it was.
  List<String> breaks() {
    var exported = ModuleJar.exported(before);
    var lines = new ArrayList<String>();
    if (exported.isEmpty()) return lines;
    var options = new JarArchiveComparatorOptions();
    options.setAccessModifier(AccessModifier.PROTECTED);
    options.setClassPathMode(ClassPathMode.TWO_SEPARATE_CLASSPATHS);
    // Supertypes that come from other modules are compared there.
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    for (var name : exported) {
      options.getFilters().getIncludes().add(new JavadocLikePackageFilter(name, true));
    }
    var classes = new JarArchiveComparator(options).compare(archive(before), archive(after));
    for (var each : classes) add(lines, each);
    return List.copyOf(lines);
  }

  private static JApiCmpArchive archive(Path jar) {
    return new JApiCmpArchive(jar.toFile(), jar.getFileName().toString());
  }

  private static void add(List<String> lines, JApiClass type) {
    var name = type.getFullyQualifiedName();
    line(lines, name, type);
    type.getMethods().forEach(each -> line(lines, name + "." + signature(each), each));
    type.getConstructors().forEach(each -> line(lines, name + "." + signature(each), each));
    type.getFields().forEach(each -> line(lines, name + "." + field(each), each));
  }

  private static void line(List<String> lines, String what, JApiCompatibility part) {
    var reasons =
        part.getCompatibilityChanges().stream()
            .filter(change -> !change.isBinaryCompatible())
            .map(change -> change.getType().toString())
            .collect(Collectors.joining(", "));
    if (!reasons.isEmpty()) lines.add(what + ": " + reasons);
  }

  private static String signature(JApiBehavior behavior) {
    var parameters =
        behavior.getParameters().stream()
            .map(parameter -> parameter.getType())
            .collect(Collectors.joining(", "));
    return behavior.getName() + "(" + parameters + ")";
  }

  private static String field(JApiField field) {
    return field.getName();
  }
}
