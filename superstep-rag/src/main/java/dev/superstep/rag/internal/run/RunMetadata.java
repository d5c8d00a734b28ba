package dev.superstep.rag.internal.run;

import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.ConventionalChannel;
import dev.superstep.language.rag.Item;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.rag.internal.value.LiteralValues;
import dev.superstep.run.Input;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/// The facts that nodes of a graph can read of their run, where the graph has the channel for it.
/// It is part of the input. Immutable.
public record RunMetadata(Scene scene) {
  private static final String NAME = ConventionalChannel.METADATA.word();

  /// An input with what the text says of itself.
  public Input of(Input input) {
    return isWanted() && !isIn(input) ? with(input, Map.of()) : input;
  }

  /// An input with what the text says of itself, and what is known of the run.
  public Input of(Input input, RunOptions run) {
    if (!isWanted()) return input;
    var left = new ArrayList<>(input.writes());
    left.remove(write(Map.of()));
    var without = new Input(left, input.starts(), input.sends());
    if (isIn(without)) return input;
    var more = new LinkedHashMap<String, Json>();
    run.thread().ifPresent(thread -> more.put("thread", Json.string(thread)));
    if (!run.metadata().isEmpty())
      more.put("run", Codec.mapOf(String.class).encode(run.metadata()));
    return with(without, more);
  }

  /// Returns whether the graph has the channel, and its callers do not fill it.
  private boolean isWanted() {
    return ConventionalChannel.METADATA.in(scene.blueprint()).isPresent()
        && scene.blueprint().input().stream().noneMatch(field -> field.name().equals(NAME));
  }

  private boolean isIn(Input input) {
    var channel = scene.channel(NAME);
    return input.writes().stream().anyMatch(write -> write.channel().equals(channel));
  }

  private Input with(Input input, Map<String, Json> more) {
    var all = new ArrayList<>(input.writes());
    all.add(write(more));
    return new Input(all, input.starts(), input.sends());
  }

  private Write write(Map<String, Json> more) {
    var fields = new LinkedHashMap<String, Json>();
    fields.put("graph", Json.string(scene.blueprint().graph()));
    fields.put("hash", Json.string(scene.blueprint().hash()));
    var text = new LinkedHashMap<String, Json>();
    scene
        .blueprint()
        .items()
        .fields(Item.METADATA)
        .forEach((key, value) -> text.put(key, LiteralValues.json(value)));
    if (!text.isEmpty()) fields.put("text", JsonFields.object(text));
    fields.putAll(more);
    return scene.write(NAME, JsonFields.object(fields)).writes().getFirst();
  }
}
