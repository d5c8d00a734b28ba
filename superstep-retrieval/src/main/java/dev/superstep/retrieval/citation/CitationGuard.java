package dev.superstep.retrieval.citation;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.state.Channel;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;

/// Checks that an agent's answer cites only passages that its [tools][CitationTool] retrieved in
/// this run. Invented citations are marked `[?]`, asked about again, or fail the agent.
///
/// The retrieved sources are saved in the thread, so they are known after a restart, and also when
/// the conversation was shortened. Those who listen to the run hear an answer when it is checked.
/// Immutable, safe for many threads; the methods return changed copies.
public final class CitationGuard implements Middleware {
  static final Channel<SourceRecord, SourceRecord> SOURCES =
      Channel.reduce("retrieved-sources", SourceRecord.class, SourceRecord.NONE, SourceRecord::and);

  private static final String NAME = "citation-guard";
  private static final int REPAIRS_MAX = 5;

  private final int repairs;
  private final boolean isRefusing;
  private final boolean isRequired;
  private final boolean acceptsEarlier;

  private CitationGuard(
      int repairs, boolean isRefusing, boolean isRequired, boolean acceptsEarlier) {
    this.repairs = repairs;
    this.isRefusing = isRefusing;
    this.isRequired = isRequired;
    this.acceptsEarlier = acceptsEarlier;
  }

  /// Replaces invented citations by `[?]`.
  public static CitationGuard marking() {
    return new CitationGuard(0, false, false, false);
  }

  /// Fails the agent with [InventedCitation].
  public static CitationGuard refusing() {
    return new CitationGuard(0, true, false, false);
  }

  /// Asks the model again before anything else happens. Its turns count in the budget.
  ///
  /// @param turns how often at most, 1 to 5
  public CitationGuard repairing(int turns) {
    if (turns < 1 || turns > REPAIRS_MAX) {
      throw new IllegalArgumentException(
          "turns must be 1 to %d, was %d".formatted(REPAIRS_MAX, turns));
    }
    return new CitationGuard(turns, isRefusing, isRequired, acceptsEarlier);
  }

  /// Treats an answer without any citation like one with an invented citation, if something was
  /// retrieved. An answer that is only marked stays as it is then.
  public CitationGuard requiringCitations() {
    return new CitationGuard(repairs, isRefusing, true, acceptsEarlier);
  }

  /// Accepts citations of what earlier runs of the thread retrieved, for follow-up questions.
  public CitationGuard acceptingEarlierRuns() {
    return new CitationGuard(repairs, isRefusing, isRequired, true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(SOURCES);
  }

  @Override
  public boolean holdsDeltas() {
    return true;
  }

  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
    result
        .artifact()
        .flatMap(CitableSources::read)
        .ifPresent(sources ->
            context.write(SOURCES, new SourceRecord(context.run(), sources, CitableSources.NONE)));
    return result;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var reply = next.call(request);
    for (int turn = 0; turn < repairs; turn++) {
      if (reply.message().hasToolCalls()) return reply;
      var problem = problem(reply, context);
      if (problem.isEmpty()) return reply;
      var messages = new ArrayList<Message>(request.messages());
      if (!reply.message().text().isBlank()) messages.add(reply.message());
      messages.add(Message.user(problem + " Answer again, and cite only retrieved passages."));
      reply = next.call(request.withMessages(messages));
    }
    return reply;
  }

  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    if (reply.message().hasToolCalls() || reply.message().text().isBlank()) return reply;
    var sources = sources(context);
    var checked = sources.check(reply.message().text());
    boolean isMissing = isRequired && checked.sources().isEmpty() && !isEmpty(sources);
    if (checked.invented().isEmpty() && !(isMissing && isRefusing)) return reply;
    if (isRefusing) throw new InventedCitation(context.agent(), checked.invented());
    context.emit(
        new AgentEvent.ContentRedacted(
            context.agent(), NAME, "invented citation", checked.invented().size()));
    var marked =
        CitationMarks.replace(
            reply.message().text(), label -> sources.find(label).isPresent() ? label : "?");
    return reply.withMessage(new AssistantMessage(reply.message().id(), marked, List.of()));
  }

  /// The problem with an answer, in words for a model; empty if there is none.
  private String problem(ChatReply reply, AgentContext context) {
    var sources = sources(context);
    var checked = sources.check(reply.message().text());
    if (!checked.invented().isEmpty()) {
      return "Your answer cites [%s], which no search in this run returned."
          .formatted(String.join("], [", checked.invented()));
    }
    boolean isMissing = isRequired && checked.sources().isEmpty() && !isEmpty(sources);
    return isMissing ? "Your answer cites no passage." : "";
  }

  private static boolean isEmpty(CitableSources sources) {
    return sources.citableSources().isEmpty();
  }

  private CitableSources sources(AgentContext context) {
    var known = context.find(SOURCES).orElse(SourceRecord.NONE);
    var inRun = known.run().equals(context.run()) ? known.inRun() : CitableSources.NONE;
    return acceptsEarlier ? known.earlier().and(known.inRun()) : inRun;
  }

  @Override
  public String toString() {
    return "CitationGuard[%s, %d repairs]".formatted(isRefusing ? "refusing" : "marking", repairs);
  }
}
