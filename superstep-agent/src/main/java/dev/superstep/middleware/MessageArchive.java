package dev.superstep.middleware;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.node.NodeContext;
import dev.superstep.store.Namespace;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.function.Function;

/// Messages that summaries stand for, in the store of the run. Immutable.
final class MessageArchive {
  private static final String TOOL = "read_history";
  private static final Codec<List<Message>> MESSAGES = Codec.listOf(Message.class);
  private static final int PAGE = 8_000;

  private final Function<NodeContext, Namespace> where;

  MessageArchive(Function<NodeContext, Namespace> where) {
    this.where = where;
  }

  record Wanted(String summary, int from) {}

  static String hint(String id) {
    return " (all of it: tool `%s` with summary `%s`)".formatted(TOOL, id);
  }

  /// Stores messages under a summary. Storing them again changes nothing.
  void save(String id, List<Message> messages, NodeContext node) {
    var space = space(id, node);
    StoredTexts.save(space, MESSAGES.encode(messages).text(), node.store());
  }

  /// The archived messages; empty if there are none.
  List<Message> read(String id, NodeContext node) {
    var space = space(id, node);
    var json = StoredTexts.read(space, node.store());
    return json.map(text -> MESSAGES.decode(Json.parse(text))).orElse(List.of());
  }

  private Namespace space(String id, NodeContext node) {
    return where.apply(node).child("history", id);
  }

  Tool tool() {
    return Tool.of(
        TOOL,
        "Reads the part of the conversation that a summary stands for.",
        Wanted.class,
        (wanted, context) -> {
          if (wanted.summary().isBlank()) return ToolResult.error("Name the summary.");
          var messages = read(wanted.summary(), context.node());
          if (messages.isEmpty()) return ToolResult.error("There is no such summary.");
          return TextPages.page(Transcripts.of(messages, Integer.MAX_VALUE), wanted.from(), PAGE);
        });
  }
}
