package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Provenance;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.GraphProposals;
import dev.superstep.rag.review.Proposal;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.rag.review.Verdict;
import dev.superstep.run.Answers;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An agent that proposes graphs, and the person who sees them first.
class GraphProposalsTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final String TEXT =
      """
      graph made {
        // approved by ann
        input { word text }
        output { said text }
        channel said overwrite of text
        start a
        node a { kind function function "echo" }
      }
      """;

  private final Bench bench =
      new Bench()
          .channel(SAID)
          .function("echo", (_, _) -> Update.of(SAID, "echo"))
          .function("secret", (_, _) -> Update.of(SAID, "secret"));
  private final InMemoryStore store = InMemoryStore.open();
  private final ReviewGate gate =
      new ReviewGate(store, ReviewKey.of(new byte[32]), InstantSource.system());
  private final GraphLibrary library = new GraphLibrary(store, gate);
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();
  private final GraphProposals proposals =
      GraphProposals.of(bench.registry, gate, library)
          .by("planner")
          .allowing(Map.of(Capability.FUNCTIONS, Set.of("echo")))
          .limits(Limits.none().and(Measure.MODEL_CALLS, 3))
          .runs(thread -> RunOptions.thread(thread).checkpoints(threads));

  /// An agent that proposes a text, and says what it was told.
  private Agent<String> proposing(String text) {
    var json = Json.of(new GraphProposals.Arguments(text, "{\"word\":\"hi\"}")).text();
    var model =
        ScriptedModel.by(request ->
            request.messages().size() < 2
                ? ScriptedModel.calls(new ToolCall("c1", "propose_graph", json))
                : ScriptedModel.text(request.messages().getLast().text()));
    return Agent.named("planner").model(model).tools(proposals.tool()).build();
  }

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(threads);
  }

  private static Interrupt asked(AgentResult<String> result) {
    assertThat(result).isInstanceOf(AgentResult.Waiting.class);
    return ((AgentResult.Waiting<String>) result).questions().getFirst();
  }

  private Answers yes(Interrupt question, String hash) {
    return Answers.of(
        question.id(), Proposal.QUESTION, Verdict.yes(gate.sign(hash, "ann", Duration.ofDays(1))));
  }

  @Test
  @Tag("R33")
  @Tag("R35")
  void a_person_sees_what_is_added_and_what_it_costs_before_it_runs() throws Exception {
    var agent = proposing(TEXT);
    var question = asked(agent.run("Go.", options("t")));
    var proposal = Proposal.QUESTION.read(question);
    assertThat(proposal.difference()).startsWith("graph made\nmay do more:\n  + function `echo`\n");
    assertThat(proposal.bounds()).contains("model calls: 0", "tasks: 1");
    assertThat(proposal.text()).contains("function \"echo\"").doesNotContain("approved by ann");
    assertThat(library.find("made")).isEmpty();
    var end = agent.resume(yes(question, proposal.hash()), options("t"));
    assertThat(end.answer()).isEqualTo("{\"said\":\"echo\"}");
    assertThat(library.find("made").orElseThrow().hash()).isEqualTo(proposal.hash());
  }

  @Test
  @Tag("R32")
  void a_registered_graph_says_in_which_run_it_was_written_and_when() throws Exception {
    var now = Instant.parse("2026-03-01T12:00:00Z");
    var agent = proposing(TEXT);
    var options = options("t").clock(() -> now);
    var question = asked(agent.run("Go.", options));
    agent.resume(
        yes(question, Proposal.QUESTION.read(question).hash()),
        options("t").clock(() -> now.plusSeconds(3600)));
    var from = library.blueprints("made").getFirst().provenance().orElseThrow();
    assertThat(from.isGenerated()).isTrue();
    assertThat(from.at()).contains(now);
    assertThat(from.parentRun()).isPresent();
    assertThat(from.content())
        .isEqualTo(
            Blueprints.compile(
                    Source.of("proposal.rag", TEXT), Names.unknown(), CheckPolicy.file("x"))
                .blueprints()
                .getFirst()
                .provenance()
                .flatMap(Provenance::content));
    assertThat(library.find("made").orElseThrow().origin())
        .startsWith("written by planner in run ")
        .contains(
            " at 2026-03-01T12:00:00Z, content " + from.content().orElseThrow().substring(0, 12));
    var opened = library.open("made", bench.registry, CheckPolicy.generated("planner"));
    assertThat(opened.blueprint().provenance().orElseThrow().withSpans(Map.of()))
        .isEqualTo(from.withSpans(Map.of()));
    assertThat(Blueprint.parse(opened.blueprint().json())).isEqualTo(opened.blueprint());
  }

  record OldEntry(String graph, String hash, String by, String approver, String text) {}

  @Test
  @Tag("R32")
  void an_entry_that_an_older_version_stored_is_still_read() {
    var hash = ReviewGate.hash(bench.program(TEXT).blueprints());
    gate.keep(gate.sign(hash, "ann", Duration.ofDays(1)));
    store.put(
        Namespace.of("superstep", "rag", "graphs"),
        "made",
        new OldEntry("made", hash, "planner", "ann", TEXT));
    assertThat(library.find("made").orElseThrow().origin()).isEqualTo("written by planner");
    var opened = library.open("made", bench.registry, CheckPolicy.generated("planner"));
    assertThat(opened.blueprint().hash()).isEqualTo(hash);
  }

  @Test
  void a_text_that_was_approved_is_not_asked_about_again() throws Exception {
    var agent = proposing(TEXT);
    var question = asked(agent.run("Go.", options("t")));
    agent.resume(yes(question, Proposal.QUESTION.read(question).hash()), options("t"));
    var end = agent.run("Go.", options("another"));
    assertThat(end.answer()).isEqualTo("{\"said\":\"echo\"}");
    var changed = proposing(TEXT.replace("start a", "defaults { recursion_limit 9 } start a"));
    var again = asked(changed.run("Go.", options("third")));
    assertThat(Proposal.QUESTION.read(again).difference())
        .contains("defaults", "recursion_limit 9")
        .doesNotContain("may do more");
  }

  @Test
  void nothing_runs_that_is_refused_or_approved_for_something_else() throws Exception {
    var agent = proposing(TEXT);
    var question = asked(agent.run("Go.", options("t")));
    var no = Answers.of(question.id(), Proposal.QUESTION, Verdict.no("Too vague."));
    assertThat(agent.resume(no, options("t")).answer())
        .contains("A person refused the graph. Too vague.");
    var other = asked(agent.run("Go.", options("u")));
    assertThat(agent.resume(yes(other, "0".repeat(64)), options("u")).answer())
        .contains("the approval is for another text");
    assertThat(library.find("made")).isEmpty();
  }

  @Test
  @Tag("R33")
  @Tag("T4")
  void a_text_that_is_wrong_or_asks_for_too_much_never_reaches_a_person() throws Exception {
    for (var bad :
        List.of(
            TEXT.replace("\"echo\"", "\"secret\""),
            TEXT.replace("start a", "start b"),
            TEXT.replace("word text", "number int"))) {
      var result = proposing(bad).run("Go.", options("t" + bad.hashCode()));
      assertThat(result.answer()).as(bad).isNotBlank().doesNotContain("said\":");
    }
    bench.saying("m");
    var costly = "graph made { start a node a { kind agent model \"m\" prompt \"?\" } }";
    assertThat(proposing(costly).run("Go.", options("costly")).answer())
        .contains("it can take 25 model calls, and may take 3");
    assertThat(library.find("made")).isEmpty();
  }

  @Test
  void a_question_of_the_graph_is_asked_on_the_thread_of_the_agent() throws Exception {
    var asking =
        """
        graph made {
          input { word text }
          output { said text }
          channel said overwrite of text
          start a
          node a { kind human prompt "Shall {word} go on?" options ["yes", "no"] into said }
        }
        """;
    var agent = proposing(asking);
    var question = asked(agent.run("Go.", options("t")));
    var result = agent.resume(yes(question, Proposal.QUESTION.read(question).hash()), options("t"));
    var inner = asked(result);
    assertThat(inner.payload().text()).contains("Shall hi go on?");
    var end =
        agent.resume(
            Answers.of(inner.id(), GraphProposals.INNER, Json.string("yes")), options("t"));
    assertThat(end.answer()).isEqualTo("{\"said\":\"yes\"}");
  }
}
