package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.REFUSED;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Turns LangChain4j's replies into ours.
record Replies(Endpoint at, Vendor vendor, Wire wire) {
  /// The reply, given the vendor's own word for why the model stopped.
  ChatReply of(ChatResponse reply, Optional<String> finishWord) {
    var said = reply.aiMessage();
    var text = said.text() == null ? "" : said.text();
    var calls = said.toolExecutionRequests().stream().map(Replies::call).toList();
    var finish = finish(finishWord.orElse("stop"), calls);
    if (finish == Finish.FILTERED && text.isEmpty() && calls.isEmpty()) {
      throw wire.error(REFUSED, "stopped the answer: its filter said `" + finishWord.get() + "`");
    }
    var used = reply.metadata().tokenUsage();
    var usage = used == null ? Usage.NONE : vendor.usage(used);
    var message = new AssistantMessage("", text, calls);
    return new ChatReply(message, usage, finish, at.ref(), ChatReply.Source.LIVE);
  }

  private Finish finish(String word, List<ToolCall> calls) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "length", "max_tokens", "model_length", "model_context_window_exceeded" ->
          Finish.LENGTH;
      case "content_filter",
          "refusal",
          "safety",
          "blocklist",
          "prohibited_content",
          "recitation",
          "spii",
          "language" ->
          Finish.FILTERED;
      case "malformed_function_call", "unexpected_tool_call", "error" ->
          throw wire.error(MALFORMED, "gave up on its answer: `" + word + "`. Ask again");
      default -> calls.isEmpty() ? Finish.STOP : Finish.TOOL_CALLS;
    };
  }

  private static ToolCall call(ToolExecutionRequest call) {
    return new ToolCall(
        isMissing(call.id()) ? "call_" + UUID.randomUUID() : call.id(),
        call.name(),
        isMissing(call.arguments()) ? "{}" : call.arguments());
  }

  private static boolean isMissing(@Nullable String text) {
    return text == null || text.isBlank();
  }

  /// A count that a vendor may leave out.
  static long count(@Nullable Integer tokens) {
    return tokens == null ? 0 : tokens;
  }
}
