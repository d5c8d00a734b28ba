package dev.superstep.cli.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// The `pom.xml` of a program's folder, as far as it says whether the program needs more than this
/// command and a compiler.
final class ProgramPom {
  static final String FILE = "pom.xml";

  private static final int BYTES_MAX = 1 << 20;
  private static final String GROUP = "dev.superstep";

  /// Our modules that this command has on its class path, with those that only name others.
  static final Set<String> HERE =
      Set.of(
          "superstep-agent",
          "superstep-bom",
          "superstep-flow",
          "superstep-graph",
          "superstep-language",
          "superstep-mcp",
          "superstep-models",
          "superstep-models-local",
          "superstep-rag",
          "superstep-registry",
          "superstep-repl",
          "superstep-sandbox",
          "superstep-starter",
          "superstep-store",
          "superstep-terminal",
          "superstep-workspace");

  /// Plugins that change nothing of what the compiler makes of the sources.
  private static final Set<String> PLAIN =
      Set.of(
          "maven-compiler-plugin",
          "maven-surefire-plugin",
          "maven-failsafe-plugin",
          "maven-jar-plugin",
          "maven-source-plugin",
          "maven-enforcer-plugin",
          "maven-resources-plugin",
          "exec-maven-plugin");

  private ProgramPom() {}

  /// The reason why only Maven can build the folder; empty if this command can.
  ///
  /// @throws UsageError if the file cannot be read
  static Optional<String> needsMaven(Path folder) {
    var file = folder.resolve(FILE);
    if (!Files.exists(file)) return Optional.empty();
    var project = read(file).getDocumentElement();
    if (child(project, "parent").isPresent()) return Optional.of("has a parent");
    if (child(project, "modules").isPresent()) return Optional.of("has modules");
    if (child(project, "profiles").isPresent()) return Optional.of("has profiles");
    for (var each : inner(project, "dependencies", "dependency")) {
      var missing = missing(each);
      if (missing.isPresent()) return missing.map(name -> "depends on " + name);
    }
    return build(project);
  }

  private static Optional<String> missing(Element dependency) {
    if (text(dependency, "scope").equals("test")) return Optional.empty();
    var group = text(dependency, "groupId");
    var artifact = text(dependency, "artifactId");
    boolean isHere = group.equals(GROUP) && HERE.contains(artifact);
    return isHere ? Optional.empty() : Optional.of(group + ":" + artifact);
  }

  private static Optional<String> build(Element project) {
    var build = child(project, "build");
    if (build.isEmpty()) return Optional.empty();
    for (var name : List.of("sourceDirectory", "resources", "extensions")) {
      if (child(build.get(), name).isPresent()) return Optional.of("sets " + name);
    }
    for (var plugin : inner(build.get(), "plugins", "plugin")) {
      var name = text(plugin, "artifactId");
      if (!PLAIN.contains(name)) return Optional.of("uses " + name);
      boolean isProcessed =
          plugin.getElementsByTagName("annotationProcessorPaths").getLength() > 0
              || plugin.getElementsByTagName("compilerArgs").getLength() > 0;
      if (isProcessed) return Optional.of("configures " + name);
    }
    return Optional.empty();
  }

  /// The command by which Maven builds the folder, behind a colon; empty if it has no such file.
  static String advice(Path folder) {
    var file = folder.resolve(FILE);
    return Files.exists(file) ? ": " + command(folder) : "";
  }

  /// The command by which Maven builds the folder.
  static String command(Path folder) {
    return "mvn -q -f " + ShellText.word(folder.resolve(FILE).toString()) + " compile";
  }

  private static Document read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new UsageError("program.pom", "File " + file + " is too large for a pom.");
      }
      var factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      // A pom has no use for what reads other files and hosts.
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(file.toFile());
    } catch (SAXException | ParserConfigurationException e) {
      throw new UsageError(
          "program.pom", "File " + file + " is no pom: " + e.getMessage() + ". Correct it.", e);
    } catch (IOException e) {
      throw new UsageError(
          "program.pom", "File " + file + " cannot be read" + TextFile.why(e) + ".", e);
    }
  }

  private static List<Element> inner(Element parent, String group, String name) {
    return child(parent, group).map(all -> children(all, name)).orElse(List.of());
  }

  private static Optional<Element> child(Element parent, String name) {
    return children(parent, name).stream().findFirst();
  }

  private static List<Element> children(Element parent, String name) {
    var found = new ArrayList<Element>();
    var all = parent.getChildNodes();
    for (int i = 0; i < all.getLength(); i++) {
      if (all.item(i) instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static String text(Element parent, String name) {
    return child(parent, name).map(Element::getTextContent).map(String::strip).orElse("");
  }
}
