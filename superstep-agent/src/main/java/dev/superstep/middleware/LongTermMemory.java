package dev.superstep.middleware;

import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.NodeContext;
import dev.superstep.schema.Description;
import dev.superstep.state.Channel;
import dev.superstep.store.Filter;
import dev.superstep.store.Hit;
import dev.superstep.store.Namespace;
import dev.superstep.store.NoEmbedder;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The memories of an agent across threads, in the store of the run.
///
/// When the agent begins, it looks for what has to do with the user's question: by meaning, if the
/// store has an embedder, else what was remembered last. The prompt shows it next to the question,
/// never in its stable prefix; the thread does not keep it. The model adds to it by the tool
/// `remember` and, with [#withForgetting], removes from it by `forget`. Immutable; the `with`
/// methods return changed copies.
public final class LongTermMemory implements Middleware {
  private static final int RECALLED = 5;
  private static final double ANY = -1;

  private static final Channel<Recalled, Recalled> RECALL =
      Channel.latest("memory-recalled", Recalled.class);

  private final Function<NodeContext, Namespace> where;
  private int most = RECALLED;
  private double least = ANY;
  private List<Filter> filters = List.of();
  private boolean forgets;

  private LongTermMemory(Function<NodeContext, Namespace> where) {
    this.where = where;
  }

  private LongTermMemory(LongTermMemory from) {
    this(from.where);
    this.most = from.most;
    this.least = from.least;
    this.filters = from.filters;
    this.forgets = from.forgets;
  }

  /// Something that is remembered, as it is in the store.
  public record Memory(String text) {}

  record Found(String key, String text) {}

  /// @param run of the agent
  record Recalled(String run, List<Found> found) {
    Recalled {
      found = List.copyOf(found);
    }
  }

  record Remembered(@Description("One fact, in one sentence.") String text) {}

  record Forgotten(@Description("As shown in brackets.") String memory) {}

  /// A memory in the namespace that a run says.
  public static LongTermMemory in(Function<NodeContext, Namespace> namespace) {
    return new LongTermMemory(namespace);
  }

  /// A memory for each value of a metadata key of the run, such as one for each user.
  public static LongTermMemory by(String key) {
    return in(node -> {
      var value = node.metadata().getOrDefault(key, "");
      if (value.isBlank()) throw new MissingMetadata("LongTermMemory", key);
      return Namespace.of("memories", key, value);
    });
  }

  /// Sets the largest number of memories to recall; 5 unless set.
  public LongTermMemory withMost(int memories) {
    if (memories < 1) throw new IllegalArgumentException("memories must be at least 1");
    var copy = new LongTermMemory(this);
    copy.most = memories;
    return copy;
  }

  /// Sets how near to the question a memory must be, from -1 to 1, where the store can tell.
  public LongTermMemory withMinScore(double score) {
    var copy = new LongTermMemory(this);
    copy.least = score;
    return copy;
  }

  /// Only what fulfils these conditions.
  public LongTermMemory withFilter(Filter... conditions) {
    var copy = new LongTermMemory(this);
    copy.filters = List.of(conditions);
    return copy;
  }

  /// Lets the model forget.
  public LongTermMemory withForgetting() {
    var copy = new LongTermMemory(this);
    copy.forgets = true;
    return copy;
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(RECALL);
  }

  @Override
  public List<Tool> tools() {
    var remember =
        Tool.of(
            "remember",
            "Remembers a fact for later conversations.",
            Remembered.class,
            (fact, context) -> {
              if (fact.text().isBlank()) return ToolResult.error("There is nothing to remember.");
              // The same fact has the same key, so it is there once.
              var key = Transcripts.digest(fact.text().strip());
              var space = where.apply(context.node());
              context.node().store().put(space, key, new Memory(fact.text().strip()));
              return "Remembered as [" + key + "].";
            });
    var forget =
        Tool.of(
            "forget",
            "Forgets a fact that is wrong or no longer wanted.",
            Forgotten.class,
            (which, context) -> {
              var key = which.memory().strip();
              var space = where.apply(context.node());
              return !key.isEmpty() && context.node().store().delete(space, key)
                  ? "Forgotten."
                  : ToolResult.error("Nothing is remembered as [" + key + "].");
            });
    return forgets ? List.of(remember, forget) : List.of(remember);
  }

  @Override
  public void beforeAgent(AgentContext context) throws Exception {
    var node = context.node();
    var found = node.step("recall", Recalled.class, () -> recall(context));
    context.write(RECALL, found);
  }

  private Recalled recall(AgentContext context) {
    var question = question(context.conversation());
    var search = Search.in(where.apply(context.node())).where(filters.toArray(Filter[]::new));
    var hits = hits(search.limit(most), question, context.node().store());
    var found =
        hits.stream()
            .map(Hit::item)
            .map(item -> new Found(item.key(), item.as(Memory.class).text()))
            .toList();
    return new Recalled(context.run(), found);
  }

  private List<Hit> hits(Search search, String question, Store store) {
    if (question.isBlank()) return store.search(search);
    try {
      return store.search(search.query(question).minScore(least));
    } catch (NoEmbedder _) {
      return store.search(search);
    }
  }

  private static String question(List<Message> conversation) {
    for (var message : conversation.reversed()) {
      if (MessageGroup.isQuestion(message)) return message.text();
    }
    return "";
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    var recalled = context.find(RECALL);
    if (recalled.isEmpty() || recalled.get().found().isEmpty()) return request;
    var text = new StringBuilder("What you remember from earlier conversations:");
    for (var one : recalled.get().found()) {
      text.append("\n- [").append(one.key()).append("] ").append(one.text());
    }
    var messages = new ArrayList<>(request.messages());
    int place = place(messages, request.prefix());
    messages.add(place, RetrievedText.message("memory", text.toString()));
    return request.withMessages(messages);
  }

  /// Before the question, so that it stays where it is while tools are called.
  private static int place(List<Message> messages, int prefix) {
    for (int i = messages.size() - 1; i >= prefix; i--) {
      if (MessageGroup.isQuestion(messages.get(i))) return i;
    }
    return messages.size();
  }

  @Override
  public String toString() {
    return "LongTermMemory[at most " + most + " memories]";
  }
}
