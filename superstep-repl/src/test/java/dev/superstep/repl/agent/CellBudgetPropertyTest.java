package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import dev.superstep.repl.agent.CellTree.Case;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.run.Answers;
import dev.superstep.testkit.Property;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sessions inside of sessions, with batches, retries and errors that scripts catch, spend no more
/// than they may: neither the tree its calls and tokens, nor a session its calls; also if another
/// process goes on with what was ended. More cases by `-Dsuperstep.budgets=10000`.
@Tag("S17")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class CellBudgetPropertyTest {
  private static final int CASES = Integer.getInteger("superstep.budgets", 40);
  private static final int RESUMPTIONS = 2;
  private static final int OUTPUT_MAX = 2_000;
  private static final Pattern SESSION = Pattern.compile("session ([0-9.]+);");

  private final Map<String, Integer> ends = new TreeMap<>();

  @Test
  void no_limit_is_passed_by_even_one_call() throws Exception {
    Property.check(1, CASES, CellTree.cases(), this::holds);
    System.out.println("long: " + CASES + " trees of sessions ended: " + ends);
    // Else the property would hold of programs that do not do much.
    assertThat(ends).containsKeys("answered", "budget.exceeded");
  }

  record Mark(String name) {}

  /// The models of a case, which note what was really spent. Safe for many threads.
  private static final class Books {
    private final Case of;
    private final List<String> excesses = new ArrayList<>();
    private final Map<String, Integer> tools = new HashMap<>();
    private int calls;
    private long tokens;

    Books(Case of) {
      this.of = of;
    }

    synchronized void call() {
      calls++;
      var most = of.limits().calls();
      if (most != null && calls > most) excesses.add("call " + calls + " of " + most);
    }

    synchronized void took(Usage usage) {
      tokens += usage.total();
      var most = of.limits().tokens();
      if (most != null && tokens > most) excesses.add(tokens + " tokens of " + most);
    }

    synchronized String tool(String session) {
      int made = tools.merge(session, 1, Integer::sum);
      if (made > of.limits().tools()) excesses.add("tool call " + made + " in " + session);
      return "marked";
    }

    synchronized List<String> excesses() {
      return List.copyOf(excesses);
    }

    /// A vendor that is busy has read the prompt; one that refuses a request bills nothing.
    private ModelException failure(Usage usage, SplittableRandom random) {
      if (random.nextBoolean()) return new ModelException(ModelException.Kind.BAD_REQUEST, "no");
      took(new Usage(usage.input(), 0, 0, 0));
      return new ModelException(ModelException.Kind.OVERLOADED, "busy");
    }

    /// A reply of a model, at a random cost within what it was allowed.
    ChatReply reply(ChatRequest request, String text) {
      call();
      var random = new SplittableRandom((text + request.messages().size()).hashCode());
      long output = random.nextLong(request.maxTokens().orElse(OUTPUT_MAX) + 1L);
      var usage = new Usage(TokenCounter.approximate().count(request), 0, 0, output, 0, false);
      if (random.nextInt(100) < of.failures()) throw failure(usage, random);
      took(usage);
      return new ChatReply(
          new AssistantMessage("", text, List.of()),
          usage,
          ChatReply.Finish.STOP,
          new ModelRef("scripted", "any"),
          ChatReply.Source.LIVE);
    }
  }

  private void holds(Case drawn) throws Exception {
    var books = new Books(drawn);
    var agent = agent(drawn, books);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    for (int i = 0; i <= RESUMPTIONS; i++) {
      var ledger = Ledger.of("all", Budget.unlimited());
      var end = end(agent, options.with(Agent.LEDGER, ledger), i > 0);
      ends.merge(end, 1, Integer::sum);
      assertThat(books.excesses()).isEmpty();
      // Spending of children that were cut off is found again by whoever goes on.
      assertThat(ledger.spent().calls()).isLessThanOrEqualTo(books.calls);
      if (i == 0) assertThat(ledger.spent().calls()).isEqualTo(books.calls);
      if (end.equals("answered")) return;
    }
  }

  private static String end(Agent<String> agent, RunOptions options, boolean resumes)
      throws InterruptedException {
    try {
      var result =
          resumes ? agent.resume(Answers.none(), options) : agent.run("session 0;", options);
      return result instanceof AgentResult.Answered<String> ? "answered" : result.toString();
    } catch (SuperstepException e) {
      return e.code();
    }
  }

  private static Agent<String> agent(Case drawn, Books books) {
    var limits = drawn.limits();
    var budget = Budget.unlimited();
    if (limits.calls() != null) budget = budget.calls(limits.calls());
    if (limits.tokens() != null) budget = budget.totalTokens(limits.tokens());
    ChatModel driver = ScriptedModel.by(request -> drive(drawn, books, request));
    ChatModel small =
        ScriptedModel.by(request -> books.reply(request, request.messages().getLast().text()));
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> books.tool(given.name()));
    return ReplAgent.named("reader")
        .model(driver)
        .grants(Grants.none().model("small", small).middleware(new Again()).tools(mark))
        .limits(
            ReplLimits.standard()
                .withCalls(limits.leaves(), limits.tools(), 32, 32)
                .withDepth(2)
                .withConcurrency(drawn.concurrency()))
        .context(TextSource.of(""))
        .budget(budget)
        .build();
  }

  private static ChatReply drive(Case drawn, Books books, ChatRequest request) {
    var path = "";
    int cells = 0;
    for (var message : request.messages()) {
      if (message instanceof AssistantMessage) cells++;
      var matcher = SESSION.matcher(message.text());
      if (path.isEmpty() && matcher.find()) path = matcher.group(1);
    }
    var source = drawn.root().find(path).source(cells);
    return books.reply(request, "```\n" + source + "\n```");
  }

  /// Asks up to three times.
  private static final class Again implements Middleware {
    @Override
    public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
        throws Exception {
      for (int attempt = 1; ; attempt++) {
        try {
          return next.call(request);
        } catch (ModelException e) {
          if (attempt == 3 || !e.isRetryable()) throw e;
        }
      }
    }
  }
}
