package dev.superstep.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.CountingIds;
import dev.superstep.testkit.EventRecorder;
import dev.superstep.testkit.ManualClock;
import dev.superstep.testkit.agent.FakeTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// The classes in here are tests that this test runs, in a folder of its own.
@Tag("T61")
class SuperstepExtensionTest {
  @TempDir Path folder;

  @ExtendWith(SuperstepExtension.class)
  static class Kits {
    @Test
    void everything_a_test_is_given_belongs_together(
        RunOptions options,
        ManualClock clock,
        CountingIds ids,
        EventRecorder recorder,
        InMemoryCheckpointer checkpoints)
        throws Exception {
      var agent = Agent.named("a").model(ScriptedModel.saying("hi", "again")).build();
      agent.run("Hello.", options);
      assertThat(checkpoints.threads(ThreadQuery.newest(9))).hasSize(1);
      assertThat(agent.graph().state(options)).isPresent();
      assertThat(recorder.events(Event.RunStarted.class)).hasSize(1);
      assertThat(recorder.events().getFirst().origin().at()).isEqualTo(clock.instant());
      assertThat(ids.next()).isNotEqualTo("id-1");
    }

    @Test
    void nothing_is_left_of_the_test_before(CountingIds ids, EventRecorder recorder) {
      assertThat(ids.next()).isEqualTo("id-1");
      assertThat(recorder.events()).isEmpty();
    }
  }

  /// Asks a model and a tool, both by cassette.
  private static ChatReply.Source shop(ChatModel model, ToolCassette tools, FakeTool price)
      throws InterruptedException {
    var sources = new ArrayList<ChatReply.Source>();
    var agent =
        Agent.named("shop")
            .model(model)
            .tools(price.tool())
            .middleware(tools, new Sources(sources))
            .build();
    assertThat(agent.run("What is it?").answer()).isEqualTo("It is 17.");
    assertThat(sources).hasSize(2);
    return sources.getFirst();
  }

  private record Sources(List<ChatReply.Source> sources)
      implements dev.superstep.middleware.Middleware {
    @Override
    public ChatReply afterModel(ChatReply reply, dev.superstep.middleware.AgentContext context) {
      sources.add(reply.source());
      return reply;
    }
  }

  static class Records {
    @RegisterExtension
    static final SuperstepExtension SUPERSTEP =
        SuperstepExtension.opening(_ ->
            ScriptedModel.replying(
                ScriptedModel.calls(new ToolCall("c1", "price", "{\"of\": \"it\"}")),
                ScriptedModel.text("It is 17.")));

    @Test
    void a_shop(@Cassette("shop") ChatModel model, @Cassette("shop") ToolCassette tools)
        throws Exception {
      var price = FakeTool.named("price").returning("17");
      assertThat(shop(model, tools, price)).isEqualTo(ChatReply.Source.SCRIPTED);
      assertThat(price.calls()).hasSize(1);
    }
  }

  @ExtendWith(SuperstepExtension.class)
  static class Replays {
    @Test
    void a_shop(@Cassette("shop") ChatModel model, @Cassette("shop") ToolCassette tools)
        throws Exception {
      var price = FakeTool.named("price").failing("not to be called");
      assertThat(shop(model, tools, price)).isEqualTo(ChatReply.Source.RECORDED);
      assertThat(price.calls()).isEmpty();
    }
  }

  /// A program that gets over what its cassette does not know.
  @ExtendWith(SuperstepExtension.class)
  static class AsksMore {
    @Test
    void something_else(@Cassette("shop") ChatModel model) throws Exception {
      try {
        model.call(ChatRequest.of(Message.user("Something else?")));
      } catch (ModelException _) {
        // It goes on without.
      }
    }
  }

  @ExtendWith(SuperstepExtension.class)
  static class CallsMore {
    @Test
    void another_tool(@Cassette("shop") ToolCassette tools) throws Exception {
      var model =
          ScriptedModel.replying(ScriptedModel.calls(new ToolCall("c1", "price", "{\"of\":2}")));
      var price = FakeTool.named("price");
      Agent.named("shop").model(model).tools(price.tool()).middleware(tools).build().run("Go.");
    }
  }

  @Test
  void each_test_gets_a_kit_of_its_own() {
    assertThat(run(Kits.class, Map.of())).isEmpty();
  }

  @Test
  void recordings_are_replayed_without_model_and_tools_and_marked() throws Exception {
    assertThat(run(Records.class, RECORD)).isEmpty();
    assertThat(folder.resolve("shop.jsonl")).exists();
    assertThat(Files.readAllLines(folder.resolve("shop.tools.jsonl"))).hasSize(1);
    assertThat(run(Replays.class, Map.of())).isEmpty();
  }

  @Test
  void a_test_with_an_unrecorded_request_fails_even_if_its_program_does_not() {
    run(Records.class, RECORD);
    assertThat(run(AsksMore.class, Map.of()))
        .singleElement()
        .asString()
        .contains("Something else?", "superstep.cassettes=record");
    assertThat(run(CallsMore.class, Map.of()))
        .singleElement()
        .asString()
        .contains("no result of call 1 of `price` with {\"of\":2}");
  }

  @Test
  void a_missing_cassette_is_an_error_that_says_how_to_record_it() {
    assertThat(run(Replays.class, Map.of()))
        .singleElement()
        .asString()
        .contains("There is no cassette `shop`", "-Dsuperstep.cassettes=record");
  }

  @Test
  void invalid_recording_settings_are_errors_that_say_what_is_missing() {
    assertThat(run(Records.class, Map.of("superstep.cassettes", "record")))
        .singleElement()
        .asString()
        .contains("superstep.cassettes.model");
    assertThat(run(Replays.class, RECORD))
        .singleElement()
        .asString()
        .contains("SuperstepExtension.opening");
    assertThat(run(Replays.class, Map.of("superstep.cassettes", "rec")))
        .singleElement()
        .asString()
        .contains("must be `record` or `replay`");
  }

  private static final Map<String, String> RECORD =
      Map.of("superstep.cassettes", "record", "superstep.cassettes.model", "scripted://test");

  /// What failed.
  private List<String> run(Class<?> tests, Map<String, String> settings) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(tests))
            .configurationParameters(settings)
            .configurationParameter("superstep.cassettes.folder", folder.toString())
            .build();
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, summary);
    assertThat(summary.getSummary().getTestsFoundCount()).isPositive();
    return summary.getSummary().getFailures().stream()
        .map(failure -> shown(failure.getException()))
        .toList();
  }

  private static String shown(Throwable failure) {
    var text = new StringBuilder(failure.toString());
    for (var more : failure.getSuppressed()) text.append('\n').append(more);
    return text.toString();
  }
}
