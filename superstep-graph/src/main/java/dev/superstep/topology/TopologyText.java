package dev.superstep.topology;

import dev.superstep.json.Json;
import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import java.util.List;
import java.util.Map;

/// Writes topologies as the codec of their record would. Each run that is kept hashes its graph,
/// and a first use of that codec costs more than the rest of the hash. For one thread.
final class TopologyText {
  private final StringBuilder text = new StringBuilder();

  private TopologyText() {}

  /// A topology as JSON.
  ///
  /// @param isTyped whether the types of channels and nodes are part of it, at any depth
  static Json of(Topology topology, boolean isTyped) {
    var made = new TopologyText();
    made.topology(topology, isTyped);
    return Json.unchecked(made.text.toString());
  }

  /// A map of texts as JSON.
  static Json of(Map<String, String> map) {
    var made = new TopologyText();
    made.map(map);
    return Json.unchecked(made.text.toString());
  }

  private void topology(Topology topology, boolean isTyped) {
    text.append("{\"graph\":");
    string(topology.graph());
    text.append(",\"channels\":[");
    for (var channel : topology.channels()) channel(channel);
    text.append("],\"nodes\":[");
    for (var node : topology.nodes()) node(node, isTyped);
    text.append("],\"edges\":[");
    for (var edge : topology.edges()) edge(edge);
    text.append(']');
    var types = topology.types();
    if (isTyped && types.isPresent()) {
      text.append(",\"types\":");
      map(types.get());
    }
    text.append('}');
  }

  private void channel(ChannelShape channel) {
    comma();
    text.append("{\"name\":");
    string(channel.name());
    text.append(",\"kind\":");
    string(channel.kind());
    text.append(",\"type\":");
    string(channel.type());
    text.append('}');
  }

  private void node(NodeShape node, boolean isTyped) {
    comma();
    text.append("{\"name\":");
    string(node.name());
    text.append(",\"argument\":");
    string(node.argument());
    text.append(",\"inside\":");
    var inside = node.inside();
    if (inside.isPresent()) {
      topology(inside.get(), isTyped);
    } else {
      text.append("null");
    }
    text.append(",\"deferred\":").append(node.deferred()).append(",\"gate\":");
    strings(node.gate());
    text.append('}');
  }

  private void edge(EdgeShape edge) {
    comma();
    text.append("{\"kind\":");
    string(edge.kind().name());
    text.append(",\"from\":");
    strings(edge.from());
    text.append(",\"to\":");
    string(edge.to());
    text.append(",\"label\":");
    string(edge.label());
    text.append(",\"needs\":").append(edge.needs()).append('}');
  }

  private void strings(List<String> all) {
    text.append('[');
    for (var each : all) {
      comma();
      string(each);
    }
    text.append(']');
  }

  private void map(Map<String, String> map) {
    text.append('{');
    for (var entry : map.entrySet()) {
      comma();
      string(entry.getKey());
      text.append(':');
      string(entry.getValue());
    }
    text.append('}');
  }

  /// A comma, unless it is the first of its list or object.
  private void comma() {
    char last = text.charAt(text.length() - 1);
    if (last != '[' && last != '{') text.append(',');
  }

  private void string(String value) {
    text.append(Json.string(value).text());
  }
}
