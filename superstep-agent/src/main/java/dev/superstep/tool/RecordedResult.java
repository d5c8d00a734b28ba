package dev.superstep.tool;

import dev.superstep.call.CallContext;
import dev.superstep.call.EffectCall;
import dev.superstep.error.EffectRefused;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.node.NodeContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a call as it is recorded for the time after a rewind; what the tool wrote to the
/// state is not part of it.
record RecordedResult(
    List<Content> content, boolean error, Optional<Json> artifact, boolean isFinal) {
  private static final Codec<RecordedResult> CODEC = Codec.of(RecordedResult.class);

  RecordedResult {
    content = List.copyOf(content);
  }

  String text() {
    return Content.text(content);
  }

  /// A call that is about to be made, and whether it was made before. For the thread of the node.
  ///
  /// @param effect null for a call outside of an agent
  record Guarded(@Nullable EffectCall effect, @Nullable ToolResult refused) {
    private static final Guarded NOT = new Guarded(null, null);

    static Guarded of(Tool tool, ToolCall call, NodeContext node) throws InterruptedException {
      if (!(node instanceof CallContext own) || !node.isPersistent()) return NOT;
      try {
        return new Guarded(own.begin(tool.name(), tool.effect(call.arguments())), null);
      } catch (EffectRefused e) {
        return new Guarded(null, ToolResult.error(String.valueOf(e.getMessage())));
      } catch (InterruptedException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(
            "an earlier call of `" + tool.name() + "` could not be undone", e);
      }
    }

    /// The result of the call, if it is not to be made.
    Optional<ToolResult> before() {
      if (refused != null) return Optional.of(refused);
      return effect == null
          ? Optional.empty()
          : effect.recorded().map(json -> CODEC.decode(json).result());
    }

    /// Records the result.
    ToolResult made(ToolResult result) {
      if (effect != null) {
        var recorded =
            new RecordedResult(
                result.content(), result.error(), result.artifact(), result.isFinal());
        effect.made(CODEC.encodeLazily(recorded), result.error());
      }
      return result;
    }
  }

  private ToolResult result() {
    return new ToolResult(content, error, artifact, Optional.empty(), isFinal);
  }
}
