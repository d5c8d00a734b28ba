package dev.superstep.model.dialect;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Puts right what small models on small servers often get wrong:
///
/// - Thoughts in `<think>` tags before the answer become [Content.Thinking].
/// - A text that is one JSON object and nothing else, and that names an offered tool, is a call of
///   it.
/// - An answer that was cut off before anything was said is asked for once more.
/// - If the server refuses to be told which tool to call, it is offered only that one, and told to
///   call one.
///
/// Safe for many threads.
public final class RepairedModel implements ChatModel {
  private static final String THINK = "<think>";
  private static final String THOUGHT = "</think>";
  private static final String ID = "recovered-";

  private final ChatModel model;

  private RepairedModel(ChatModel model) {
    this.model = model;
  }

  /// The model with repairs.
  public static RepairedModel of(ChatModel model) {
    return new RepairedModel(model);
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    return model.profile();
  }

  @FunctionalInterface
  private interface Asking {
    ChatReply ask(ChatRequest request) throws InterruptedException;
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity().map(one -> ModelIdentity.of("repaired", one.digest()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return asked(request, model::call, () -> {});
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    boolean offers = offersTools(request);
    var withheld = new StreamHoldback(listener, () -> new Said(offers));
    var reply = asked(request, one -> model.stream(one, withheld), withheld::again);
    withheld.finish(reply);
    return reply;
  }

  /// @param again before it is asked once more
  private ChatReply asked(ChatRequest request, Asking asking, Runnable again)
      throws InterruptedException {
    var reply = repaired(degrading(request, asking, again), request);
    boolean isEmpty = reply.message().isEmpty() && reply.finish() == ChatReply.Finish.LENGTH;
    if (!isEmpty) return reply;
    again.run();
    var second = repaired(degrading(request, asking, again), request);
    return second.withUsage(reply.usage().plus(second.usage()));
  }

  private static ChatReply degrading(ChatRequest request, Asking asking, Runnable again)
      throws InterruptedException {
    try {
      return asking.ask(request);
    } catch (ModelException e) {
      boolean isRefused = e.kind() == ModelException.Kind.BAD_REQUEST;
      if (!isRefused || !(request.toolChoice() instanceof ToolChoice.Named(var name))) throw e;
      var only = request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
      again.run();
      return asking.ask(request.withTools(only).withToolChoice(new ToolChoice.Required()));
    }
  }

  private static ChatReply repaired(ChatReply reply, ChatRequest request) {
    var said = reply.message();
    var split = Split.of(said.text());
    var call = call(said, split.rest(), request);
    if (split.thought().isEmpty() && call.isEmpty()) return reply;
    var content = new ArrayList<Content>();
    for (var part : said.content()) if (!(part instanceof Content.Text)) content.add(part);
    if (split.thought().isPresent()) {
      content.add(new Content.Thinking(split.thought().get(), Optional.empty()));
    }
    if (call.isEmpty()) content.addAll(Content.of(split.rest()));
    var calls = call.isPresent() ? List.of(call.get()) : said.calls();
    var finish = call.isPresent() ? ChatReply.Finish.TOOL_CALLS : reply.finish();
    return new ChatReply(
        new AssistantMessage(said.id(), content, calls),
        reply.usage(),
        finish,
        reply.model(),
        reply.source(),
        reply.receipt());
  }

  private static boolean offersTools(ChatRequest request) {
    return !request.tools().isEmpty()
        && !(request.toolChoice() instanceof ToolChoice.None)
        && request.format() instanceof ResponseFormat.Text;
  }

  private static Optional<ToolCall> call(AssistantMessage reply, String text, ChatRequest request) {
    if (reply.hasToolCalls() || !offersTools(request)) return Optional.empty();
    var object = XmlForm.object(text);
    if (object.isEmpty()) return Optional.empty();
    var name = object.get().path("name");
    var given = object.get().get("arguments");
    if (given == null) given = object.get().get("parameters");
    boolean isOffered =
        name.isString()
            && request.tools().stream().map(ToolSpec::name).anyMatch(name.asString()::equals);
    if (!isOffered || given == null || !given.isObject()) return Optional.empty();
    long before =
        request.messages().stream()
            .filter(one -> one instanceof AssistantMessage other && other.hasToolCalls())
            .count();
    return Optional.of(new ToolCall(ID + (before + 1), name.asString(), given.toString()));
  }

  /// A text without the thoughts at its beginning.
  private record Split(Optional<String> thought, String rest) {
    static Split of(String text) {
      var thoughts = new ArrayList<String>();
      int at = 0;
      for (int next = inked(text, 0); text.startsWith(THINK, next); next = at) {
        int from = next + THINK.length();
        int end = text.indexOf(THOUGHT, from);
        thoughts.add(text.substring(from, end < 0 ? text.length() : end).strip());
        at = end < 0 ? text.length() : inked(text, end + THOUGHT.length());
      }
      return thoughts.isEmpty()
          ? new Split(Optional.empty(), text)
          : new Split(Optional.of(String.join("\n", thoughts).strip()), text.substring(at));
    }
  }

  /// The place of the first character from there on that is not blank.
  private static int inked(CharSequence text, int from) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at;
  }

  /// Finds the part of an arriving text that is safe to pass on: all after the thoughts at its
  /// beginning, unless it may become a call.
  private static final class Said implements StreamHoldback.Sure {
    private final boolean offersTools;
    private int from;
    private int looked;
    private boolean isThought;
    private boolean isSaid;
    private boolean mayBeCall;

    Said(boolean offersTools) {
      this.offersTools = offersTools;
    }

    @Override
    public int from() {
      return from;
    }

    @Override
    public int to(StringBuilder heard) {
      while (!isSaid && !mayBeCall) {
        if (isThought && !leave(heard)) return from;
        looked = inked(heard, looked);
        if (looked == heard.length() || !decide(heard)) return from;
      }
      return isSaid ? heard.length() : from;
    }

    /// Looks for the end of a thought.
    private boolean leave(StringBuilder heard) {
      int end = heard.indexOf(THOUGHT, looked);
      if (end < 0) {
        looked = Math.max(looked, heard.length() - THOUGHT.length() + 1);
        return false;
      }
      isThought = false;
      from = end + THOUGHT.length();
      looked = from;
      return true;
    }

    /// Returns true if it is clear what begins at a character that is not blank.
    private boolean decide(StringBuilder heard) {
      int most = Math.min(THINK.length(), heard.length() - looked);
      var start = heard.substring(looked, looked + most);
      if (start.equals(THINK)) {
        isThought = true;
        looked += THINK.length();
        return true;
      }
      if (THINK.startsWith(start)) return false;
      // Blanks after a thought go with it.
      if (from > 0) from = looked;
      mayBeCall = offersTools && start.startsWith("{");
      isSaid = !mayBeCall;
      return true;
    }
  }

  @Override
  public String toString() {
    return "RepairedModel[" + model + "]";
  }
}
