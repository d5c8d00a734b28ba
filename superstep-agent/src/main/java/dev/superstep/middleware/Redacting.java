package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Takes out of a conversation what models, or those who read it later, must not see. What is found
/// is reported as `content.redacted`, with the counts, never the texts.
///
/// ```java
/// Redacting.of(Pii.email(), Pii.creditCard()).masking()
/// Redacting.of(Secrets.all())
/// ```
///
/// What it does at each [Place]:
///
/// - INPUT: what users say is rewritten in the thread before the first model is asked. The
///   checkpoint of the input, which is older, keeps what they said; prune it if it must go.
/// - OUTPUT: what models say is changed before it is kept anywhere.
/// - RESULTS: what tools say is changed before it is kept anywhere. What they make for the program
///   beside that ([ToolResult#withArtifact]) is left as it is.
/// - CALLS: the arguments of tool calls are changed, so tools get them so. Not unless set.
///
/// With OUTPUT or CALLS, those who listen to the run hear a reply in one piece when it is whole,
/// with all taken out also of the arguments of calls. What a tool says of its progress is told as
/// it is.
///
/// Immutable, safe for many threads; the methods return changed copies.
public final class Redacting implements Middleware {
  private final List<Detector> detectors;
  private final Redaction how;
  private final Set<Place> places;

  /// Where to look.
  public enum Place {
    /// The messages of users.
    INPUT,
    /// The text and thoughts of models.
    OUTPUT,
    /// The arguments of tool calls.
    CALLS,
    /// The results of tools.
    RESULTS
  }

  private Redacting(List<Detector> detectors, Redaction how, Set<Place> places) {
    this.detectors = detectors;
    this.how = how;
    this.places = places;
  }

  /// Puts `[redacted email]` and the like in place of what these find, everywhere but in the
  /// arguments of calls.
  public static Redacting of(Detector... detectors) {
    if (detectors.length == 0) throw new IllegalArgumentException("detectors must hold one");
    var places = Set.of(Place.INPUT, Place.OUTPUT, Place.RESULTS);
    return new Redacting(List.of(detectors), new Redaction.Named(), places);
  }

  /// Puts asterisks in place of letters and digits, but for the last four of twelve or more.
  public Redacting masking() {
    return new Redacting(detectors, new Redaction.Masked(), places);
  }

  /// Puts a digest in place, the same for equal texts.
  ///
  /// @param key without which nobody can find out by trying what a digest is of; keep it secret,
  ///   and the same as long as digests are to be compared
  public Redacting hashing(String key) {
    var hashed = new Redaction.Hashed(SettingChecks.notBlank("key", key));
    return new Redacting(detectors, hashed, places);
  }

  /// Fails the agent with [ContentBlocked] if anything is found.
  public Redacting blocking() {
    return new Redacting(detectors, new Redaction.Blocked(), places);
  }

  /// Looks only there.
  public Redacting only(Place first, Place... more) {
    return new Redacting(detectors, how, Set.copyOf(EnumSet.of(first, more)));
  }

  @Override
  public boolean holdsDeltas() {
    return places.contains(Place.OUTPUT) || places.contains(Place.CALLS);
  }

  @Override
  public void beforeAgent(AgentContext context) {
    rewrite(0, context);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    // What came since the model spoke: results of other agents, and what was said meanwhile.
    int from = newest(context.conversation());
    if (!rewrite(from, context)) return request;
    var redactor = new Redactor(detectors, how);
    var changed = request.messages().stream().map(m -> message(m, redactor)).toList();
    return request.withMessages(changed);
  }

  private static int newest(List<Message> messages) {
    int at = messages.size();
    while (at > 0 && !(messages.get(at - 1) instanceof AssistantMessage)) at--;
    return at;
  }

  /// Changes the messages from there on in the thread, and says whether there was anything to.
  private boolean rewrite(int from, AgentContext context) {
    var redactor = new Redactor(detectors, how);
    var messages = context.conversation();
    var changed = new ArrayList<Message>(messages.subList(0, from));
    for (var message : messages.subList(from, messages.size())) {
      changed.add(message(message, redactor));
    }
    if (redactor.found().isEmpty()) return false;
    publish(redactor, "input", context);
    context.rewrite(changed);
    return true;
  }

  private Message message(Message message, Redactor redactor) {
    return switch (message) {
      case UserMessage(var id, var content) when places.contains(Place.INPUT) ->
          new UserMessage(id, redactor.content(content));
      case ToolMessage m when places.contains(Place.RESULTS) ->
          new ToolMessage(
              m.id(), m.callId(), m.tool(), redactor.content(m.content()), m.error(), m.artifact());
      case UserMessage _, ToolMessage _, AssistantMessage _, SystemMessage _ -> message;
    };
  }

  /// Around, not after: what [#afterModel] is given is kept already, in case the node runs again.
  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var reply = next.call(request);
    var redactor = new Redactor(detectors, how);
    var said = reply.message();
    var content = places.contains(Place.OUTPUT) ? redactor.content(said.content()) : said.content();
    var calls = places.contains(Place.CALLS) ? redactor.calls(said.calls()) : said.calls();
    if (redactor.found().isEmpty()) return reply;
    publish(redactor, "output", context);
    return reply.withMessage(new AssistantMessage(said.id(), content, calls));
  }

  @Override
  public ChatReply publish(ChatReply reply) {
    var said = reply.message();
    var redactor = new Redactor(detectors, new Redaction.Named());
    var calls = redactor.calls(said.calls());
    return reply.withMessage(
        new AssistantMessage(said.id(), redactor.content(said.content()), calls));
  }

  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
    if (!places.contains(Place.RESULTS)) return result;
    var redactor = new Redactor(detectors, how);
    var content = redactor.content(result.content());
    if (redactor.found().isEmpty()) return result;
    publish(redactor, "result of tool `" + call.tool() + "`", context);
    return new ToolResult(
        content, result.error(), result.artifact(), result.patch(), result.isFinal());
  }

  /// Tells what was found, and stops the agent if that is what is to be done.
  private void publish(Redactor redactor, String where, AgentContext context) {
    redactor
        .found()
        .forEach((what, times) ->
            context.emit(new AgentEvent.ContentRedacted(context.agent(), name(), what, times)));
    if (!(how instanceof Redaction.Blocked)) return;
    var what = String.join(", ", redactor.found().keySet());
    throw new ContentBlocked(context.agent(), name(), where, "it has " + what);
  }

  @Override
  public String toString() {
    return "Redacting["
        + detectors.stream().map(Detector::name).toList()
        + ", "
        + how
        + " in "
        + places
        + "]";
  }
}
