package dev.superstep.example.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.language.Source;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.RecordingModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.rag.Rag;
import dev.superstep.rag.RagGraph;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Makes the recordings anew, by hand, from the replies below. After a change of a text:
///
/// ```
/// mvn -Ddev -pl examples/claim-desk -am test -Dtest=RecordTest -Dsuperstep.record=true \
///   -Dsurefire.failIfNoSpecifiedTests=false
/// ```
@EnabledIfSystemProperty(named = "superstep.record", matches = "true")
class RecordTest {
  private static final String NOTE = "Written by hand for this example; no model was asked.";
  private static final Path DESK = Command.EXAMPLES.resolve("claim-desk");
  private static final Path REFUNDS = Command.EXAMPLES.resolve("refunds");

  private static ChatReply small(ChatRequest request) {
    var asked = request.messages().getLast().text();
    var whole = request.messages().getFirst().text();
    if (whole.contains("one a line")) return ScriptedModel.text("Is it covered?\nSince when?");
    if (whole.contains("Check the statement")) {
      return ScriptedModel.text((asked.contains("oof") ? "unsure: " : "sure: ") + asked);
    }
    if (asked.contains("The findings")) {
      var notice = "{\"text\":\"We pay your claim.\"}";
      return ScriptedModel.calls(new ToolCall("notify-1", "notify", notice));
    }
    return ScriptedModel.text("The claim is closed.");
  }

  private static ChatReply large(ChatRequest request) {
    var told = request.messages().getLast().text();
    if (!told.contains("Water is covered")) throw new AssertionError("the script told: " + told);
    return ScriptedModel.text("```ragsh\nanswer('final')\n```");
  }

  private static ChatReply refunds(ChatRequest request) {
    var asked = request.messages().getLast().text();
    if (!asked.startsWith("Reply to")) return ScriptedModel.text("large");
    return ScriptedModel.text(
        asked.endsWith("yes")
            ? "We refund your chair."
            : "We are sorry that we cannot refund your chair.");
  }

  @Test
  void the_recordings_hold_every_reply_that_the_examples_need() throws Exception {
    for (var folder : new Path[] {DESK, REFUNDS}) {
      for (var name : new String[] {"small", "large"}) {
        Files.deleteIfExists(folder.resolve("recorded/" + name + ".jsonl"));
      }
    }
    var clock = InstantSource.system();
    try (var small =
            RecordingModel.open(
                DESK.resolve("recorded/small.jsonl"),
                ScriptedModel.by(RecordTest::small),
                NOTE,
                clock);
        var large =
            RecordingModel.open(
                DESK.resolve("recorded/large.jsonl"),
                ScriptedModel.by(RecordTest::large),
                NOTE,
                clock)) {
      var registry = Registry.named("record");
      registry.register(Component.of(Kind.MODEL, "small", small));
      registry.register(Component.of(Kind.MODEL, "large", large));
      var split = Files.readString(DESK.resolve("prompts/split.txt"));
      registry.register(Component.of(RagKind.TEMPLATE, "split", split));
      new DeskComponents().register(registry);
      var desk = graph(DESK.resolve("claim_desk.rag"), registry, "claim_desk");
      run(desk, "sure.json", "pay");
      run(desk, "unsure.json", "pay");
      run(desk, "unsure.json", "refuse");
    }
    try (var small =
        RecordingModel.open(
            REFUNDS.resolve("recorded/small.jsonl"),
            ScriptedModel.by(RecordTest::refunds),
            NOTE,
            clock)) {
      var registry = Registry.named("record");
      registry.register(Component.of(Kind.MODEL, "small", small));
      var refunds = graph(REFUNDS.resolve("refunds.rag"), registry, "refunds");
      var request = Files.readString(REFUNDS.resolve("request.txt")).strip();
      for (var answer : new String[] {"yes", "no"}) {
        run(refunds, Json.parse("{\"request\":" + Json.string(request).text() + "}"), answer);
      }
    }
  }

  private static RagGraph graph(Path file, Registry registry, String name) throws Exception {
    var source = Source.of(file.getFileName().toString(), Files.readString(file));
    var program = Rag.compile(source, registry, CheckPolicy.file(source.name()));
    assertThat(program.isValid()).as(program.text()).isTrue();
    return program.graph(name).orElseThrow();
  }

  private static void run(RagGraph graph, String claim, String answer) throws Exception {
    run(graph, Json.parse(Files.readString(DESK.resolve("claims").resolve(claim))), answer);
  }

  private static void run(RagGraph graph, Json input, String answer) throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var outcome = graph.run(graph.input(input), options);
    while (outcome instanceof Outcome.Interrupted(var questions)) {
      outcome = graph.resume(Answers.of(questions.getFirst().id(), answer), options);
    }
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
  }
}
