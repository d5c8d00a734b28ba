package dev.superstep.middleware;

import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.node.NodeContext;
import dev.superstep.store.Namespace;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.function.Function;

/// Keeps large results of tools in the store of the run, and shows the model their beginning and
/// end. It reads the rest, page by page, by the tool `read_tool_result`.
///
/// Tools cut their results off before that: those with large ones need a [Tool#withResultLimit] of
/// their own. Immutable.
public final class ToolResultOffload implements Middleware {
  private static final String TOOL = "read_tool_result";
  private static final int PAGE = 8_000;
  private static final Namespace PLACE = Namespace.of("tool-results");

  private final int most;
  private final int preview;
  private final Function<NodeContext, Namespace> where;

  private ToolResultOffload(int most, int preview, Function<NodeContext, Namespace> where) {
    this.most = most;
    this.preview = preview;
    this.where = where;
  }

  record Wanted(String result, int from) {}

  /// Keeps results that have more characters than that, and shows a fifth of as many.
  public static ToolResultOffload over(int characters) {
    if (characters < 1) throw new IllegalArgumentException("characters must be at least 1");
    return new ToolResultOffload(characters, Math.max(1, characters / 5), _ -> PLACE);
  }

  /// Sets the number of characters that the model sees at once.
  public ToolResultOffload withPreview(int characters) {
    if (characters < 1 || characters > most) {
      throw new IllegalArgumentException("preview must be 1 to %d".formatted(most));
    }
    return new ToolResultOffload(most, characters, where);
  }

  /// Sets the namespace for the results, such as a namespace of the user. The stored results can be
  /// read by every model that knows its id; one namespace for all unless set.
  public ToolResultOffload in(Function<NodeContext, Namespace> place) {
    return new ToolResultOffload(most, preview, place);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.of(
            TOOL,
            "Reads a result of a tool that was too long to show.",
            Wanted.class,
            (wanted, context) -> {
              if (wanted.result().isBlank()) return ToolResult.error("Name the result.");
              var space = space(wanted.result(), context.node());
              return StoredTexts.read(space, context.node().store())
                  .map(text -> TextPages.page(text, wanted.from(), PAGE))
                  .orElseGet(() -> ToolResult.error("There is no such result."));
            }));
  }

  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
    var text = result.text();
    if (text.length() <= most || call.tool().equals(TOOL)) return result;
    var id = Transcripts.digest(context.node().task() + "/" + call.id());
    StoredTexts.save(space(id, context.node()), text, context.node().store());
    var shown =
        "%s%n[the whole result has %d characters: call `%s` with result `%s`]"
            .formatted(Excerpt.headAndTail(text, preview), text.length(), TOOL, id)
            .replace("\r\n", "\n");
    return new ToolResult(
        Content.of(shown), result.error(), result.artifact(), result.patch(), result.isFinal());
  }

  private Namespace space(String id, NodeContext node) {
    return where.apply(node).child("tool-result", id);
  }

  @Override
  public String toString() {
    return "ToolResultOffload[over " + most + " characters]";
  }
}
