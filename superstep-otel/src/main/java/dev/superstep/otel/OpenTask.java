package dev.superstep.otel;

import dev.superstep.event.Origin;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A task of a node that has begun. Its span is made when the first span inside it is needed, or
/// when it ends: only then is it known whether an agent began in it, whose span encloses it. For
/// the thread that receives the events of its run.
final class OpenTask {
  private final Origin origin;
  private final String node;
  private final String id;
  private final AttributesBuilder attributes = Attributes.builder();
  private final List<OpenCall> calls = new ArrayList<>();
  private @Nullable OpenSpan span;
  private @Nullable Instant waits;
  private String code = "";
  private boolean failed;
  private boolean cached;

  OpenTask(Origin origin, String node, String id) {
    this.origin = origin;
    this.node = node;
    this.id = id;
    attributes.put(AttributeKeys.NODE, node).put(AttributeKeys.TASK, id);
    attributes
        .put(AttributeKeys.GRAPH, origin.graph())
        .put(AttributeKeys.STEP, (long) origin.step());
    attributes.put(AttributeKeys.RUN, origin.run());
    if (!origin.path().isEmpty()) attributes.put(AttributeKeys.PATH, origin.path());
  }

  List<String> path() {
    return origin.path();
  }

  int step() {
    return origin.step();
  }

  String node() {
    return node;
  }

  String id() {
    return id;
  }

  Instant began() {
    return origin.at();
  }

  /// The name of the task in the paths of its subgraph's events: the node, and if the node has
  /// several tasks also the place, with which the id ends.
  String name() {
    return nameOf(node, id);
  }

  static String nameOf(String node, String id) {
    int slash = id.lastIndexOf('/');
    return slash < 0 || id.endsWith("/" + node) ? node : node + "#" + id.substring(slash + 1);
  }

  /// Returns the attributes with which the span starts, if it does not exist yet.
  AttributesBuilder attributes() {
    return attributes;
  }

  /// Its span, which is made if there is none.
  OpenSpan span(Supplier<OpenSpan> make) {
    var known = span;
    if (known == null) span = known = make.get();
    return known;
  }

  List<OpenCall> calls() {
    return calls;
  }

  /// The newest call that fits; or of a model, the newest of all: one that was recorded answers by
  /// another name.
  @Nullable OpenCall removeCall(boolean model, String called) {
    var found = find(model, called);
    if (found != null) calls.remove(found);
    return found;
  }

  private @Nullable OpenCall find(boolean model, String called) {
    OpenCall other = null;
    for (var call : calls.reversed()) {
      if (call.is(model, called)) return call;
      if (other == null && model && call.isModel()) other = call;
    }
    return other;
  }

  /// The newest model that has not answered.
  @Nullable OpenCall asked() {
    for (var call : calls.reversed()) if (call.isModel()) return call;
    return null;
  }

  /// Notes that it asked a question, and publishes nothing more.
  void waitsSince(Instant at) {
    waits = at;
  }

  @Nullable Instant waits() {
    return waits;
  }

  /// Notes the code of an error that it published.
  void blame(String error) {
    code = error;
  }

  String code() {
    return code;
  }

  /// It failed in a way that its policy handles.
  void handled() {
    failed = true;
  }

  boolean hasFailed() {
    return failed;
  }

  /// Notes that an earlier result replaces it.
  void isCached() {
    cached = true;
  }

  boolean wasCached() {
    return cached;
  }

  /// Returns true if the span exists.
  boolean isShown() {
    return span != null;
  }
}
