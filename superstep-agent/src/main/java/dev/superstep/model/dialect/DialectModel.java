package dev.superstep.model.dialect;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ToolSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Gives tools to a model that has none of its own: it is told of them in its instructions, writes
/// calls into its text, and is shown results as a turn of the user. To those who ask it, it is like
/// any other.
///
/// A call that cannot be read is a call all the same, with what the model wrote as its arguments,
/// so that the agent tells the model. What is in the tags is never handed on as text. Safe for many
/// threads.
public final class DialectModel implements ChatModel {
  private static final String ID = "call-";

  private final ChatModel model;
  private final DialectSyntax form;

  private DialectModel(ChatModel model, DialectSyntax form) {
    this.model = model;
    this.form = form;
  }

  /// The model with tools.
  public static DialectModel of(ChatModel model, Dialect dialect) {
    return new DialectModel(model, DialectSyntax.of(dialect));
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    var known = model.profile();
    var has = new HashSet<>(known.has());
    has.add(Capability.TOOLS);
    has.add(Capability.PARALLEL_TOOLS);
    var lacks = new HashSet<>(known.lacks());
    lacks.removeAll(has);
    return new ModelProfile(has, lacks, known.contextWindow(), known.maxOutput());
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model
        .identity()
        .map(one -> ModelIdentity.of("dialect", form.getClass().getSimpleName(), one.digest()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var written = new PromptedRequest(form, request);
    return read(model.call(written.request()), written.tools(), request);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var written = new PromptedRequest(form, request);
    var withheld = new StreamHoldback(listener, ToolTags.Outside::new);
    var reply = read(model.stream(written.request(), withheld), written.tools(), request);
    withheld.finish(reply);
    return reply;
  }

  private ChatReply read(ChatReply reply, List<ToolSpec> tools, ChatRequest request) {
    var said = reply.message();
    var opened = ToolTags.open(said.text(), body -> form.read(body, tools).isGood());
    if (opened.bodies().isEmpty()) return reply;
    var calls = new ArrayList<ToolCall>(said.calls());
    long number = newest(request);
    for (var body : opened.bodies()) {
      var read = form.read(body, tools);
      calls.add(new ToolCall(ID + ++number, read.tool(), read.arguments()));
    }
    var content = new ArrayList<Content>();
    for (var part : said.content()) if (part instanceof Content.Thinking) content.add(part);
    content.addAll(Content.of(opened.outside()));
    var message = new AssistantMessage(said.id(), content, calls);
    var finish =
        reply.finish() == ChatReply.Finish.STOP ? ChatReply.Finish.TOOL_CALLS : reply.finish();
    return new ChatReply(
        message, reply.usage(), finish, reply.model(), reply.source(), reply.receipt());
  }

  /// The highest number of a call so far, so that each has its own.
  private static long newest(ChatRequest request) {
    long newest = 0;
    for (var message : request.messages()) {
      if (!(message instanceof AssistantMessage reply)) continue;
      for (var call : reply.calls()) newest = Math.max(newest, number(call.id()));
    }
    return newest;
  }

  private static long number(String id) {
    if (!id.startsWith(ID)) return 0;
    var digits = id.substring(ID.length());
    boolean isNumber = !digits.isEmpty() && digits.length() < 10;
    for (int i = 0; i < digits.length(); i++) {
      isNumber &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    return isNumber ? Long.parseLong(digits) : 0;
  }

  @Override
  public String toString() {
    return "DialectModel[" + model + "]";
  }
}
