package dev.superstep.shape;

import dev.superstep.graph.GraphBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The places of a shape and what runs there. One thread at a time.
final class Outline {
  // So that names of channels and nodes can be made of it.
  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9_-]{0,39}");

  private final String name;
  private final List<String> places;
  private final Map<String, Step> steps = new LinkedHashMap<>();

  Outline(String name, String... places) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Shape name `%s` must start with a lower-case letter and hold at most 40 letters, digits, `_` or `-`."
              .formatted(name));
    }
    this.name = name;
    this.places = List.of(places);
  }

  void set(String place, Step step) {
    if (steps.putIfAbsent(place, step) == null) return;
    throw new IllegalStateException("Shape `" + name + "` has a " + place + " already.");
  }

  boolean has(String place) {
    return steps.containsKey(place);
  }

  /// The name of the node at a place.
  String node(String place) {
    if (places.contains(place)) return name + "." + place;
    throw new IllegalArgumentException(
        "Shape `" + name + "` has no `" + place + "`; its nodes are " + places + ".");
  }

  void require(String... required) {
    for (var place : required) if (!has(place)) throw missing(place);
  }

  IllegalStateException missing(String what) {
    return new IllegalStateException(
        "Shape `" + name + "` has no " + what + "; say what it is before `addTo`.");
  }

  /// Adds the nodes in the order of their places.
  void addNodes(GraphBuilder builder) {
    for (var place : places) {
      var step = steps.get(place);
      if (step != null) step.addTo(builder, node(place));
    }
  }

  /// Lets these places follow each other, without those at which nothing runs, and then a node.
  void chain(GraphBuilder builder, List<String> chained, String last) {
    String before = null;
    for (var place : chained) {
      if (!has(place)) continue;
      if (before != null) builder.edge(node(before), node(place));
      before = place;
    }
    if (before != null) builder.edge(node(before), last);
  }

  /// The first of these places at which something runs, or another node.
  String first(List<String> of, String otherwise) {
    for (var place : of) if (has(place)) return node(place);
    return otherwise;
  }
}
