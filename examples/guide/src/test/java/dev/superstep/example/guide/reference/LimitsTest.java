package dev.superstep.example.guide.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The numbers on the page of limits are those of the code.
class LimitsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          supersteps of a run | superstep-graph | RunSettings | STEP_LIMIT
          supersteps of a run and its subgraphs | superstep-graph | RunSettings | TOTAL_STEP_LIMIT
          tasks at once | superstep-graph | RunSettings | CONCURRENCY
          retries in a run | superstep-graph | RunSettings | RETRY_BUDGET
          grace of an interrupted node | superstep-graph | TimedAttempt | GRACE_NANOS
          nesting of subgraphs | superstep-graph | NestingDepth | DEPTH_MAX
          starts ahead of their superstep | superstep-graph | EarlyStartAnalysis | LEVELS_MAX
          unread events of a stream | superstep-graph | Backlog | CAPACITY
          lease of a thread | superstep-graph | RunSettings | LEASE
          use of an approval | superstep-graph | RunSettings | APPROVAL_TIME
          name of a thread | superstep-graph | Lineage | THREAD_MAX
          writes of a delta channel between snapshots | superstep-graph | Channel | SNAPSHOT_EVERY
          key of an item in a store | superstep-graph | Put | KEY_BYTES_MAX
          labels of a namespace | superstep-graph | Namespace | LABELS_MAX
          items of a search | superstep-graph | Search | LIMIT
          turns of the model in a run | superstep-agent | AgentBuilder | MODEL_CALLS
          tool calls in a run | superstep-agent | AgentBuilder | TOOL_CALLS
          nesting of agents | superstep-agent | AgentBuilder | DEPTH
          calls at once: tools, agents, graphs | superstep-agent | AgentBuilder | CONCURRENCY
          attempts at a model in a turn | superstep-agent | Retrying | ATTEMPTS
          wait that a vendor asks for | superstep-agent | Retrying | RETRY_AFTER_MAX
          a model call: all attempts and waits | superstep-agent | ChatRequest | TIMEOUT
          first byte of a streamed reply | superstep-agent | ChatRequest | FIRST_BYTE
          silence within a streamed reply | superstep-agent | ChatRequest | IDLE
          connecting | superstep-models | Wire | CONNECT
          result of a tool | superstep-agent | Tool | RESULT_MAX
          name of a tool | superstep-agent | Tool | NAME_MAX
          answer of a model within a budget | superstep-agent | UsageEstimator | OUTPUT_RESERVE
          messages in a lane of a `HostQueue` | superstep-agent | HostQueue | LANE_MAX
          messages that a summary leaves | superstep-agent | Summarization | KEPT
          agents at once in `MapOver` | superstep-teams | MapOver | AT_ONCE
          rounds of `PlannedWork` | superstep-teams | PlannedWork | ROUNDS
          hand-offs of a `Swarm` | superstep-teams | Swarm | HANDOFFS
          tasks on a board | superstep-teams | Board | TASKS_MAX
          chunks that a search returns | superstep-retrieval | Query | LIMIT
          open spans | superstep-otel | TelemetryOptions | OPEN_SPANS
          programs: tokens of a run | superstep-repl | ReplAgentBuilder | TOKENS
          """)
  void a_default_is_that_of_the_code(String limit, String module, String type, String constant) {
    var source = Source.named(module, type).text();
    var found = Pattern.compile("\\b" + constant + "\\s*=\\s*([^;]+);").matcher(source);
    assertThat(found.find()).as(type + "." + constant).isTrue();
    var value = readable(found.group(1));
    assertThat(ReferencePage.of("limits.md").text())
        .containsPattern("\n\\| " + Pattern.quote(limit) + " \\| " + Pattern.quote(value) + "\\b");
  }

  /// As the page writes it: `1_000` is `1,000`, and `Duration.ofSeconds(20)` is `20 s`.
  private static String readable(String code) {
    var number = Pattern.compile("\\((\\d+)\\)").matcher(code);
    if (!number.find()) {
      long plain = Long.parseLong(code.replace("_", "").strip());
      return String.format(Locale.ROOT, "%,d", plain);
    }
    var unit =
        code.contains("MILLISECONDS")
            ? " ms"
            : code.contains("ofSeconds") ? " s" : code.contains("ofMinutes") ? " min" : " h";
    return number.group(1) + unit;
  }
}
