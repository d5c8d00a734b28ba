package dev.superstep.model.dialect;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// A request with tools as one without. Immutable.
final class PromptedRequest {
  private static final String NO_QUESTION = "Go on.";

  private final DialectSyntax form;
  private final ChatRequest given;
  private final List<ToolSpec> tools;

  PromptedRequest(DialectSyntax form, ChatRequest given) {
    this.form = form;
    this.given = given;
    this.tools = offered(given);
  }

  private static List<ToolSpec> offered(ChatRequest request) {
    return switch (request.toolChoice()) {
      case ToolChoice.None _ -> List.of();
      case ToolChoice.Auto _, ToolChoice.Required _ -> request.tools();
      case ToolChoice.Named(var name) ->
          request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
    };
  }

  /// The tools in the instructions to the model.
  List<ToolSpec> tools() {
    return tools;
  }

  ChatRequest request() {
    var messages = new ArrayList<Message>();
    int leading = leading();
    messages.addAll(given.messages().subList(0, leading));
    int prefix = Math.min(given.prefix(), leading);
    if (!tools.isEmpty()) {
      messages.add(prefix, new SystemMessage("tools", form.described(tools) + demand()));
      prefix++;
    }
    int first = messages.size();
    for (int i = leading; i < given.messages().size(); ) i = add(i, messages);
    if (messages.stream().noneMatch(PromptedRequest::isQuestion)) {
      messages.add(first, Message.user(NO_QUESTION));
    }
    return given
        .withMessages(messages)
        .withTools(List.of())
        .withToolChoice(ToolChoice.AUTO)
        .withPrefix(prefix, given.cacheHint());
  }

  private int leading() {
    int leading = 0;
    for (var message : given.messages()) {
      if (!(message instanceof SystemMessage)) break;
      leading++;
    }
    return leading;
  }

  private String demand() {
    return switch (given.toolChoice()) {
      case ToolChoice.Auto _, ToolChoice.None _ -> "Answer without a tool if you need none.";
      case ToolChoice.Required _, ToolChoice.Named _ -> "You must call a tool now.";
    };
  }

  private static boolean isQuestion(Message message) {
    if (!(message instanceof UserMessage asked)) return false;
    return !asked.text().isBlank() || asked.content().stream().anyMatch(PromptedRequest::isMedium);
  }

  private static boolean isMedium(Content part) {
    return switch (part) {
      case Content.Image _, Content.ImageLink _, Content.File _, Content.FileLink _ -> true;
      case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> false;
    };
  }

  /// Adds what begins at a place, and gives the place of the next.
  private int add(int at, List<Message> to) {
    var message = given.messages().get(at);
    return switch (message) {
      case SystemMessage told -> {
        to.add(told);
        yield at + 1;
      }
      case UserMessage asked -> {
        to.add(harmless(asked));
        yield at + 1;
      }
      // An answer without a call: those with one are taken along with it.
      case ToolMessage _ -> at + 1;
      case AssistantMessage reply -> cycle(reply, at, to);
    };
  }

  /// Adds the model's message with the results of the tools that it called. An incomplete cycle is
  /// left out, calls and results alike.
  private int cycle(AssistantMessage reply, int at, List<Message> to) {
    int end = at + 1;
    var results = new ArrayList<ToolMessage>();
    while (end < given.messages().size() && given.messages().get(end) instanceof ToolMessage one) {
      results.add(one);
      end++;
    }
    var called = new HashSet<String>();
    for (var call : reply.calls()) called.add(call.id());
    var answered = new HashSet<String>();
    for (var result : results) answered.add(result.callId());
    boolean isWhole =
        called.equals(answered)
            && called.size() == reply.calls().size()
            && answered.size() == results.size();
    var text = new StringBuilder(ToolTags.harmless(reply.text()));
    if (isWhole) {
      for (var call : reply.calls()) {
        if (!text.isEmpty()) text.append('\n');
        text.append(ToolTags.call(form.written(call, given.tools())));
      }
    }
    if (!text.toString().isBlank()) {
      to.add(new AssistantMessage(reply.id(), text.toString(), List.of()));
    }
    if (isWhole && !results.isEmpty()) to.add(folded(results));
    return end;
  }

  private static Message folded(List<ToolMessage> results) {
    var texts = new ArrayList<String>(results.size());
    for (var one : results) {
      texts.add(ToolTags.result(one.callId(), one.tool(), one.error(), one.text()));
    }
    return Message.user(String.join("\n", texts));
  }

  private static Message harmless(UserMessage asked) {
    var parts = new ArrayList<Content>(asked.content().size());
    for (var part : asked.content()) {
      parts.add(
          part instanceof Content.Text(var text)
              ? new Content.Text(ToolTags.harmless(text))
              : part);
    }
    return new UserMessage(asked.id(), parts);
  }
}
