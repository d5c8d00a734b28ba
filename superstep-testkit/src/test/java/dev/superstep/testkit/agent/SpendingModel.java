package dev.superstep.testkit.agent;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Says random things at random cost, as much as it may: prompts up to what was counted, answers up
/// to what was asked for, or far more where nothing was. Knows for which run of its agent it speaks
/// by the task, and writes that into its own books. Safe for many threads.
final class SpendingModel implements ChatModel {
  private static final int UNBOUNDED = 50_000;
  private static final int CALLS_MAX = 4;

  private final BudgetedTree agent;
  private final SpendingBooks books;
  private final long seed;

  SpendingModel(BudgetedTree agent, SpendingBooks books, long seed) {
    this.agent = agent;
    this.books = books;
    this.seed = seed;
  }

  @Override
  public ModelRef ref() {
    return new ModelRef("scripted", agent.name());
  }

  @Override
  public ChatReply call(ChatRequest request) {
    var run = run(request);
    int number = books.sent(run, agent);
    // By what is asked, not by who comes first: the same for any concurrency.
    var random =
        new SplittableRandom(seed ^ ((run + "#" + number).hashCode() * 0x9E3779B97F4A7C15L));
    Thread.yield();
    var usage = usage(request, random);
    if (random.nextInt(100) < agent.failures()) throw failure(run, usage, random);
    books.took(run, usage);
    var message = new AssistantMessage("", "So far.", calls(run, number, random));
    var finish = message.hasToolCalls() ? ChatReply.Finish.TOOL_CALLS : ChatReply.Finish.STOP;
    var told = random.nextInt(100) < agent.lies() ? lie(usage, random) : usage;
    return new ChatReply(message, told, finish, ref(), ChatReply.Source.LIVE);
  }

  /// A vendor that declines has read the prompt; what it made before it fell silent is billed.
  private RuntimeException failure(String run, Usage usage, SplittableRandom random) {
    int kind = random.nextInt(6);
    books.took(run, kind < 3 ? new Usage(usage.input(), 0, 0, 0) : usage);
    return switch (kind) {
      case 0, 1, 2 -> new ModelException(ModelException.Kind.OVERLOADED, "The model is busy.");
      case 3 -> new ModelException(ModelException.Kind.TIMEOUT, "The model took too long.");
      case 4 -> new ModelException(ModelException.Kind.REFUSED, "The model declined.");
      default -> new IllegalStateException("The model broke down.");
    };
  }

  /// Numbers that cannot be.
  private static Usage lie(Usage usage, SplittableRandom random) {
    long any = random.nextLong();
    return switch (random.nextInt(6)) {
      case 0 -> Usage.NONE;
      case 1 -> new Usage(-usage.input(), 0, -usage.output(), 0);
      case 2 -> new Usage(Long.MIN_VALUE, any, any, Long.MIN_VALUE, any, false);
      case 3 -> new Usage(Long.MAX_VALUE, any, any, Long.MAX_VALUE, any, false);
      case 4 -> new Usage(usage.input(), -1, -1, usage.output(), -1, false);
      default -> new Usage(usage.input(), Long.MAX_VALUE, 0, usage.output(), Long.MAX_VALUE, false);
    };
  }

  /// The first thing that was said to the agent is the name of its run.
  private static String run(ChatRequest request) {
    for (var message : request.messages()) {
      if (message instanceof UserMessage said) return said.text();
    }
    throw new IllegalStateException("no task");
  }

  private static Usage usage(ChatRequest request, SplittableRandom random) {
    long counted = TokenCounter.approximate().count(request);
    boolean isGreedy = random.nextInt(3) == 0;
    long input = isGreedy ? counted : random.nextLong(counted + 1);
    long cached = random.nextLong(input + 1);
    long written = random.nextLong(input - cached + 1);
    long most = request.maxTokens().orElse(UNBOUNDED);
    long output = isGreedy ? most : random.nextLong(most + 1);
    long reasoning = isGreedy && random.nextBoolean() ? output : random.nextLong(output + 1);
    return switch (random.nextInt(3)) {
      case 0 -> new Usage(input, input, 0, output, reasoning, false);
      case 1 -> new Usage(input, 0, input, output, reasoning, false);
      default -> new Usage(input, cached, written, output, reasoning, false);
    };
  }

  private List<ToolCall> calls(String run, int number, SplittableRandom random) {
    if (random.nextInt(3) == 0) return List.of();
    var calls = new ArrayList<ToolCall>();
    int size = random.nextInt(1, CALLS_MAX + 1);
    for (int i = 0; i < size; i++) {
      var id = "c" + number + "-" + i;
      boolean isTask = !agent.helpers().isEmpty() && random.nextBoolean();
      if (isTask) {
        var helper = agent.helpers().get(random.nextInt(agent.helpers().size()));
        var task = Json.of(new Task(run + "/" + id)).text();
        calls.add(new ToolCall(id, helper.name().replace('-', '_'), task));
      } else {
        calls.add(new ToolCall(id, "look", "{}"));
      }
    }
    return calls;
  }

  private record Task(String task) {}
}
