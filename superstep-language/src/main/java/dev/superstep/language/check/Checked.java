package dev.superstep.language.check;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.Suggestion;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.RagCode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// A graph while it is checked: its blueprint, where its parts are, the names in it, and what is
/// found.
final class Checked {
  private static final int SUGGESTED_OF_MAX = 2_000;

  final Blueprint blueprint;
  final CheckPolicy policy;
  private final Places places;
  private final Diagnostics diagnostics;
  private final Map<String, NodeBlueprint> nodes = new LinkedHashMap<>();
  private final Map<String, ChannelBlueprint> channels = new LinkedHashMap<>();
  private final Set<String> slots = new LinkedHashSet<>();
  private final Source source;
  private boolean isBroken;

  /// @param isBroken whether the source has errors of syntax, so that parts of the graph are absent
  Checked(
      Lowering.Lowered lowered,
      CheckPolicy policy,
      Source source,
      Diagnostics diagnostics,
      boolean isBroken) {
    this.source = source;
    this.isBroken = isBroken;
    this.blueprint = lowered.blueprint();
    this.places = lowered.places();
    this.policy = policy;
    this.diagnostics = diagnostics;
    for (var node : blueprint.nodes()) nodes.put(node.name(), node);
    for (var channel : blueprint.channels()) {
      channels.put(channel.name(), channel);
      slots.add(channel.name());
    }
    for (var field : blueprint.input()) slots.add(field.name());
  }

  Map<String, NodeBlueprint> nodes() {
    return nodes;
  }

  Map<String, ChannelBlueprint> channels() {
    return channels;
  }

  /// The names of what nodes can read: the channels, and the fields of the input.
  Set<String> slots() {
    return slots;
  }

  /// Returns whether something leads nowhere because of an error that was reported.
  boolean isBroken() {
    return isBroken;
  }

  Places places() {
    return places;
  }

  Diagnostic at(RagCode code, String path, String message) {
    return code.at(places.find(path), message);
  }

  /// The place of a piece of text inside a part, or of the part if the text is not in it.
  Span inside(String path, String text) {
    var span = places.find(path);
    int at = source.text().indexOf(text, span.start(), span.end());
    return at < 0 ? span : new Span(at, at + text.length());
  }

  void add(Diagnostic diagnostic) {
    diagnostics.add(diagnostic);
  }

  void report(RagCode code, String path, String message, String help) {
    add(at(code, path, message).help(help));
  }

  /// Checks the target of something that leads to a node, or END.
  boolean target(String path, String target, RagCode unknown) {
    if (target.equals(Edge.END) || nodes.containsKey(target)) return true;
    if (target.isEmpty()) return false;
    if (target.equals("START")) {
      report(RagCode.INVALID_TARGET, path, "nothing leads to START", "name the node itself");
      return false;
    }
    isBroken = true;
    report(unknown, path, "there is no node " + show(target), suggestion(target, targets()));
    return false;
  }

  private List<String> targets() {
    return Stream.concat(Stream.of(Edge.END), nodes.keySet().stream())
        .limit(SUGGESTED_OF_MAX)
        .toList();
  }

  /// Checks the name of a node that is no target.
  boolean node(String path, String name) {
    if (nodes.containsKey(name)) return true;
    if (name.isEmpty()) return false;
    if (name.equals(Edge.END)) {
      report(RagCode.INVALID_TARGET, path, "nothing follows END", "name a node");
      return false;
    }
    if (name.equals("START")) {
      report(RagCode.INVALID_TARGET, path, "START is no node", "use `start`");
      return false;
    }
    isBroken = true;
    report(
        RagCode.UNKNOWN_NODE,
        path,
        "there is no node " + show(name),
        suggestion(name, nodes.keySet()));
    return false;
  }

  /// Checks the name of a channel, or of a field of the input.
  boolean slot(String path, String name) {
    if (slots.contains(name)) return true;
    if (name.isEmpty()) return false;
    var near = suggestion(name, slots);
    report(
        RagCode.UNKNOWN_CHANNEL,
        path,
        "there is no channel " + show(name),
        near.isEmpty() ? "declare it, as in `channel " + name + " overwrite`" : near);
    return false;
  }

  static String suggestion(String name, Collection<String> names) {
    return Suggestion.didYouMean(name, names);
  }

  static String show(String name) {
    return "`" + CodePoints.quote(name, 60) + "`";
  }
}
