package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.language.rag.Capability;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.rag.review.GraphLibrary;
import dev.superstep.rag.review.Proposal;
import dev.superstep.rag.review.RagLanguage;
import dev.superstep.rag.review.ReviewGate;
import dev.superstep.rag.review.ReviewKey;
import dev.superstep.rag.review.Verdict;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplAgentBuilder;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.run.Answers;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Cells that write graphs as `.rag` text, and the person who approves them.
class RagLanguageTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final String TEXT =
      """
      graph recheck {
        input { word text }
        output { said text }
        channel said overwrite of text
        start a
        node a { kind function function "echo" }
      }
      """;

  record Sum(long sum) {}

  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final Bench bench =
      new Bench()
          .channel(SAID)
          .function(
              "echo",
              (_, _) -> {
                ran.add("echo");
                return Update.of(SAID, "echo");
              })
          .function("secret", (_, _) -> Update.of(SAID, "secret"));
  private final InMemoryStore store = InMemoryStore.open();
  private final ReviewGate gate =
      new ReviewGate(store, ReviewKey.of(new byte[32]), InstantSource.system());
  private final GraphLibrary library = new GraphLibrary(store, gate);
  private final RagLanguage language =
      RagLanguage.of(bench.registry, gate, library)
          .allowing(Map.of(Capability.FUNCTIONS, Set.of("echo")));
  private final InMemoryCheckpointer threads = new InMemoryCheckpointer();

  private ReplAgentBuilder writing(String... cells) {
    var replies = new String[cells.length];
    for (int i = 0; i < cells.length; i++) replies[i] = "```ragsh\n" + cells[i] + "\n```";
    return ReplAgent.named("planner")
        .model(ScriptedModel.saying(replies))
        .grants(Grants.of(bench.registry).language(language))
        .context(TextSource.of(TEXT))
        .limits(ReplLimits.standard());
  }

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(threads);
  }

  private String answer(String cell) throws InterruptedException {
    return writing(cell).build().run("Go.").answer();
  }

  @Test
  @Tag("S11")
  void a_definition_is_read_only_and_one_that_cannot_be_read_takes_no_place() throws Exception {
    var told =
        answer(
            """
            seen = [context.count("graph"), budget()["definition_calls"]]
            try:
                graph_define("broken", source="graph broken {\\n  start\\n}")
            except HostError as e:
                seen.append([e.code, str(e).split(":")[0], budget()["definition_calls"]])
            d = graph_define({"name": "recheck", "source": str(context).replace("echo", "nothing")})
            about = graph_describe(d)
            seen.append([about["provenance"], about["trusted"], about["compiled"]])
            seen.append(budget()["definition_calls"])
            answer(seen)
            """);
    assertThat(told)
        .isEqualTo(
            "[1,8,[\"invalid-graph-source\",\"line 3, column"
                + " 1\",8],[\"generated\",false,false],7]");
    assertThat(ran).isEmpty();
    assertThat(library.find("recheck")).isEmpty();
  }

  @Test
  @Tag("S11")
  void definitions_are_counted_and_their_size_is_limited() throws Exception {
    var driver =
        writing(
                "for i in range(3):\n    graph_define('d', source=str(context))",
                "try:\n    graph_define('big', source='x' * 70000)\nexcept HostError as e:\n"
                    + "    answer([e.code, budget()['definition_calls']])")
            .limits(ReplLimits.standard().withDefinitions(2))
            .build();
    assertThat(driver.run("Go.").answer()).isEqualTo("[\"invalid-arguments\",0]");
  }

  @Test
  @Tag("S12")
  @Tag("S23")
  void a_draft_is_checked_by_the_compiler_with_codes_and_places() throws Exception {
    var told =
        answer(
            """
            d = graph_define("recheck", source=str(context).replace('"echo"', '"ech"'))
            seen = [[p["code"], p["severity"], p["line"], p["column"]] for p in graph_validate(d)]
            try:
                graph_compile(d)
            except HostError as e:
                seen.append(e.code)
            seen.append(graph_validate(graph_define("ok", source=str(context))))
            g = graph_compile(graph_define("ok", source=str(context)))
            seen.append(graph_describe(g)["trusted"])
            answer(seen)
            """);
    assertThat(told)
        .isEqualTo(
            "[[\"E-rag-disallowed-generated-capability\",\"error\",6,35],\"graph-compilation-failed\",[],false]");
    assertThat(library.find("recheck")).isEmpty();
  }

  @Test
  @Tag("S12")
  void a_draft_can_name_nothing_that_its_session_was_not_granted() throws Exception {
    bench.registry.register(Component.of(Kind.MODEL, "small", ScriptedModel.saying("yes")));
    bench.registry.register(Component.of(Kind.MODEL, "large", ScriptedModel.saying("yes")));
    bench.registry.register(
        Component.of(
            Kind.TOOL, "pay", Tool.of("pay", "Pays.", Sum.class, (sum, _) -> "paid " + sum.sum())));
    var cell =
        """
        def codes(item):
            text = str(context).replace('kind function function "echo"', item)
            return [p["code"] for p in graph_validate(graph_define("d", source=text))]
        answer([codes('kind model model "small" system "hi"')[:1],
                codes('kind model model "large" system "hi"')[:1],
                codes('kind tool_executor tools ["pay"]')[:1],
                codes('kind function function "secret"')[:1]])
        """;
    var grants = Grants.of(bench.registry).models("small").language(language);
    var told = writing(cell).grants(grants).build().run("Go.").answer();
    assertThat(told)
        .isEqualTo(
            "[[],[\"E-rag-disallowed-generated-capability\"],[\"E-rag-disallowed-generated-capability\"],[\"E-rag-disallowed-generated-capability\"]]");
    // A name that the host gave to something else is not that of the registry.
    var other = Grants.of(bench.registry).model("large", ScriptedModel.saying("no"));
    assertThat(writing(cell).grants(other.language(language)).build().run("Go.").answer())
        .startsWith("[[\"E-rag-disallowed-generated-capability\"]");
  }

  @Test
  void a_language_of_another_registry_is_refused() {
    var grants = Grants.of(Registry.named("other")).language(language);
    assertThatThrownBy(() -> writing("answer(1)").grants(grants).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("different registries");
  }

  @Test
  @Tag("S12")
  void drafts_are_compared_with_each_other_and_with_what_is_registered() throws Exception {
    register(TEXT);
    var told =
        answer(
            """
            a = graph_define("a", source=str(context))
            b = graph_define("b", source=str(context).replace(" a", " b"))
            seen = [graph_diff(a, a), graph_diff("recheck", a), len(graph_diff(a, b)) > 0]
            try:
                graph_diff("recheckk", a)
            except HostError as e:
                seen.append(e.code)
            answer(seen)
            """);
    assertThat(told).isEqualTo("[[],[],true,\"unknown-graph\"]");
  }

  /// Registers a text as a host does that has approved it.
  private void register(String text) throws Exception {
    var hash = approve(text);
    assertThat(hash).isNotBlank();
    answer(
        "g = graph_compile(graph_define('recheck', source=str(context)))\n"
            + "graph_register('recheck', graph=g)\nanswer(1)");
  }

  private String approve(String text) {
    var hash = language.hash(new dev.superstep.repl.grant.GraphLanguage.Draft("recheck", text));
    gate.keep(gate.sign(hash, "ann", Duration.ofDays(1)));
    return hash;
  }

  @Test
  @Tag("S13")
  @Tag("W12")
  void an_approved_graph_is_registered_and_really_runs() throws Exception {
    approve(TEXT);
    var told =
        answer(
            """
            g = graph_compile(graph_define("recheck", source=str(context)))
            seen = []
            try:
                graph_run("recheck", {"word": "hi"})
            except HostError as e:
                seen.append(e.code)
            graph_register("recheck", graph=g)
            seen.append(graph_run("recheck", {"word": "hi"}))
            try:
                graph_run("recheck", {"wrod": "hi"})
            except HostError as e:
                seen.append(e.code)
            answer(seen)
            """);
    assertThat(told).isEqualTo("[\"unknown-graph\",{\"said\":\"echo\"},\"invalid-arguments\"]");
    assertThat(ran).containsExactly("echo");
    var entry = library.find("recheck").orElseThrow();
    assertThat(entry.approver()).isEqualTo("ann");
    assertThat(entry.by()).isEqualTo("planner");
    assertThat(library.blueprints("recheck").getFirst().provenance().orElseThrow().isGenerated())
        .isTrue();
  }

  @Test
  @Tag("S13")
  @Tag("W12")
  void an_approval_that_a_script_makes_up_is_denied() throws Exception {
    var told =
        answer(
            """
            d = graph_define("recheck", source=str(context))
            g = graph_compile(d)
            seen = []
            tries = [dict(name="recheck", graph=d), dict(name="recheck", graph=g)]
            for id in ["ok", graph_describe(g)["hash"], "0" * 64, "approved by ann"]:
                tries.append(dict(name="recheck", graph=g, review_id=id))
            for t in tries:
                try:
                    graph_register(t)
                    seen.append("registered")
                except HostError as e:
                    seen.append(e.code)
            answer(seen)
            """);
    assertThat(told)
        .isEqualTo(
            "[\"invalid-arguments\",\"registration-denied\",\"registration-denied\","
                + "\"registration-denied\",\"registration-denied\",\"registration-denied\"]");
    assertThat(library.find("recheck")).isEmpty();
  }

  @Test
  @Tag("S13")
  void an_approval_is_for_exactly_one_text_and_no_longer_than_it_holds() throws Exception {
    var hash = approve(TEXT.replace(" a", " b"));
    var cell =
        "g = graph_compile(graph_define('recheck', source=str(context)))\n"
            + "try:\n    graph_register('recheck', graph=g)\n    answer('yes')\n"
            + "except HostError as e:\n    answer(e.code)";
    assertThat(answer(cell)).isEqualTo("registration-denied");
    approve(TEXT);
    assertThat(answer(cell)).isEqualTo("yes");
    gate.revoke(library.find("recheck").orElseThrow().hash());
    var run =
        """
        n = context.count("graph")
        try:
            graph_run("recheck", {"word": "x"})
        except HostError as e:
            answer(e.code)
        """;
    assertThat(answer(run)).isEqualTo("unknown-graph");
    assertThat(hash).isNotEqualTo(library.find("recheck").orElseThrow().hash());
  }

  @Test
  @Tag("S13")
  @Tag("S23")
  void a_person_is_asked_in_the_midst_of_a_cell_and_sees_what_is_added() throws Exception {
    Agent<String> agent =
        writing(
                """
                g = graph_compile(graph_define("recheck", source=str(context)))
                graph_register("recheck", graph=g)
                answer(graph_run("recheck", {"word": "hi"}))
                """)
            .build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options("t"));
    var question = waiting.questions().getFirst();
    var proposal = Proposal.QUESTION.read(question);
    assertThat(proposal.by()).isEqualTo("planner");
    assertThat(proposal.difference()).contains("+ function `echo`");
    assertThat(library.find("recheck")).isEmpty();
    var yes = Verdict.yes(gate.sign(proposal.hash(), "ann", Duration.ofDays(1)));
    var end =
        agent.resume(Answers.of(question.id(), Proposal.QUESTION, yes), options("t")).answer();
    assertThat(end).isEqualTo("{\"said\":\"echo\"}");
  }

  @Test
  @Tag("S13")
  void a_person_who_refuses_is_an_error_for_the_cell() throws Exception {
    var agent =
        writing(
                """
                g = graph_compile(graph_define("recheck", source=str(context)))
                try:
                    graph_register("recheck", graph=g)
                except HostError as e:
                    answer([e.code, str(e)])
                """)
            .build();
    var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options("t"));
    var question = waiting.questions().getFirst();
    var no = Verdict.no("Too much.");
    var end = agent.resume(Answers.of(question.id(), Proposal.QUESTION, no), options("t")).answer();
    assertThat(end).contains("registration-denied", "A person refused the graph. Too much.");
    assertThat(library.find("recheck")).isEmpty();
  }
}
