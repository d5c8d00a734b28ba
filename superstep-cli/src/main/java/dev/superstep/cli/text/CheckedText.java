package dev.superstep.cli.text;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.bounds.Bounds;
import dev.superstep.language.bounds.ComponentFacts;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import dev.superstep.rag.Rag;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A text that was checked without running any code, and what is known of the things that it names.
///
/// @param facts those that bound a run; models are not opened for them
/// @param limits those of its folder; none if it has none
public record CheckedText(Compilation compilation, ComponentFacts facts, FolderLimits limits) {
  /// Checks a text with all that the `superstep.toml` beside it says.
  ///
  /// @throws UsageError if that file is wrong
  public static CheckedText of(Host host, RagFile file) {
    var folder = RagFolder.find(file.path());
    return folder.map(known -> of(host, known, file)).orElseGet(() -> alone(file));
  }

  /// Checks a text by itself. What its folder says only bounds runs, if it can be read.
  public static CheckedText withNamesUnknown(Host host, RagFile file) {
    var alone = alone(file);
    try {
      var known = of(host, file);
      return new CheckedText(alone.compilation, known.facts, known.limits);
    } catch (UsageError _) {
      return alone;
    }
  }

  private static CheckedText alone(RagFile file) {
    return new CheckedText(
        file.checkedAlone(), ComponentFacts.NONE, new FolderLimits("", Limits.none()));
  }

  private static CheckedText of(Host host, RagFolder folder, RagFile file) {
    var alone = alone(file);
    if (!alone.compilation.isValid()) return alone;
    var limits = FolderLimits.of(folder);
    if (folder.isAlone()) return new CheckedText(alone.compilation, alone.facts, limits);
    var names = TextProgram.models(alone.compilation);
    var models = NamedModels.none(folder, names, "The text is only checked here.");
    var withoutCode =
        new RagFolder(
            folder.root(),
            folder.file(),
            folder.place(),
            folder.graph(),
            folder.input(),
            folder.model(),
            folder.models(),
            folder.prompts(),
            folder.tools(),
            folder.limits(),
            Optional.empty());
    var tools =
        TextComponents.others(folder, TextProgram.names(alone.compilation, Capability.TOOLS));
    var served = FolderTools.onlyNamed(host, folder.root(), tools);
    try (var components = TextComponents.of(withoutCode, models.models(), served)) {
      var known = Rag.names(components.registry());
      // Only the code knows what else it registers, and it does not run here.
      var checked = file.checked(folder.components().isEmpty() ? known : Names.unknown());
      return new CheckedText(checked, Rag.facts(components.registry()), limits);
    }
  }

  /// The most that a run of a graph can take.
  public Bounds bounds(Blueprint graph) {
    return Bounds.of(compilation, graph.graph(), facts);
  }

  /// The most that runs of the graphs can take that no other graph uses; none of a text with
  /// errors.
  public List<Bounds> bounds() {
    if (!compilation.isValid()) return List.of();
    return compilation.outermost().stream().map(this::bounds).toList();
  }

  /// The bounds for people, with what the limits of the folder say of them.
  public String boundsText() {
    return bounds().stream().map(this::text).collect(Collectors.joining());
  }

  /// The bounds of a graph for people, with what the limits of the folder say of them.
  public String text(Bounds bounds) {
    var text = bounds.text(compilation.source());
    return limits.limits().isEmpty() ? text : text + limits.text(verdict(bounds));
  }

  /// The bounds of a graph for programs, with what the limits of the folder say of them.
  public Json json(Bounds bounds) {
    var json = Json.parse(bounds.json(compilation.source())).text();
    if (limits.limits().isEmpty()) return Json.parse(json);
    var said = verdict(bounds).json().text();
    return Json.parse(json.substring(0, json.lastIndexOf('}')) + ",\"limits\":" + said + "}");
  }

  private FolderLimits.Verdict verdict(Bounds most) {
    var least = Bounds.of(compilation, most.graph(), new FolderLimits.LeastFacts(facts));
    return limits.verdict(most, least);
  }

  /// Returns whether a run of a graph would be refused, whatever its models are.
  public boolean isRefused(Bounds bounds) {
    return !limits.limits().isEmpty() && !verdict(bounds).refused().isEmpty();
  }

  /// The findings on one line, for programs; the bounds are in its field `bounds`.
  public String jsonLine() {
    var found = Json.parse(compilation.json()).text();
    if (!compilation.isValid()) return found;
    var bounds =
        bounds().stream().map(each -> json(each).text()).collect(Collectors.joining(",", "[", "]"));
    return found.substring(0, found.lastIndexOf('}')) + ",\"bounds\":" + bounds + "}";
  }
}
