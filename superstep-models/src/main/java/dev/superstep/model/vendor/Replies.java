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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Turns LangChain4j's replies into ours.
record Replies(Endpoint at, Vendor vendor, Wire wire) {
  private static final ObjectReader EXACT =
      JsonMapper.shared().reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /// The reply, given the text if it was streamed, and the vendor's own word for why the model
  /// stopped.
  ChatReply of(ChatResponse reply, Optional<String> pieces, Optional<String> finishWord) {
    var said = reply.aiMessage();
    var text = pieces.orElse(said.text() == null ? "" : said.text());
    var calls = said.toolExecutionRequests().stream().map(this::call).toList();
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
      case "length", "max_tokens", "model_length", "model_context_window_exceeded" -> Finish.LENGTH;
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

  private ToolCall call(ToolExecutionRequest call) {
    return new ToolCall(
        isMissing(call.id()) ? "call_" + UUID.randomUUID() : call.id(),
        call.name(),
        isMissing(call.arguments()) ? "{}" : arguments(call.arguments()));
  }

  // Where arguments are objects, LangChain4j prints them with line breaks.
  private String arguments(String raw) {
    if (!vendor.wantsObjectArguments()) return raw;
    try {
      return EXACT.readTree(raw).toString();
    } catch (JacksonException _) {
      return raw;
    }
  }

  /// Joins all texts of a reply in the first of them. LangChain4j would put line breaks between
  /// those of a whole reply, but not between those of a stream.
  static void joinTexts(JsonNode blocks, Predicate<JsonNode> isText) {
    ObjectNode first = null;
    for (var iterator = blocks.iterator(); iterator.hasNext(); ) {
      if (!(iterator.next() instanceof ObjectNode block) || !isText.test(block)) continue;
      if (first == null) {
        first = block;
      } else {
        first.put("text", first.path("text").asString("") + block.path("text").asString(""));
        iterator.remove();
      }
    }
  }

  private static boolean isMissing(@Nullable String text) {
    return text == null || text.isBlank();
  }

  /// A count that a vendor may leave out.
  static long count(@Nullable Integer tokens) {
    return tokens == null ? 0 : tokens;
  }
}
