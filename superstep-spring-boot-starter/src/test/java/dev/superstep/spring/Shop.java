package dev.superstep.spring;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// The application of a user: an agent, a graph, tools, and a controller that streams.
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@Import({Shop.Orders.class, Shop.Chats.class})
class Shop {
  static final Channel<Integer, Integer> ROUND = Channel.latest("round", Integer.class);
  static final Question<String, String> COLOUR = Question.of("colour", String.class, String.class);

  /// Holds the rounds of a thread until the test lets them go on.
  static final Map<String, Hold> HELD = new ConcurrentHashMap<>();

  record Hold(int round, CountDownLatch reached, CountDownLatch goOn) {
    static Hold at(int round) {
      return new Hold(round, new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  @Bean
  ChatModel model() {
    return ScriptedModel.by(request -> {
      var last = request.messages().getLast();
      if (last instanceof ToolMessage) return ScriptedModel.text("Done: " + last.text());
      if (last.text().startsWith("Pay")) {
        return ScriptedModel.calls(new ToolCall("c1", "refund", "{\"number\":7}"));
      }
      if (last.text().startsWith("Where")) {
        return ScriptedModel.calls(new ToolCall("c1", "find_order", "{\"number\":7}"));
      }
      return ScriptedModel.text("How can I help you?");
    });
  }

  @Bean
  Agent<String> desk(ChatModel model, Tools tools) {
    return Agent.named("desk")
        .model(model)
        .tools(
            tools
                .with("refund", tool -> tool.withPolicy(ToolPolicy.of(SideEffect.PAYMENT)))
                .with("find_order", tool -> tool.withPolicy(ToolPolicy.readOnly())))
        .gate(ToolGate.strict().confirming(SideEffect.PAYMENT))
        .build();
  }

  @Bean
  Graph rounds() {
    return Graph.named("rounds")
        .channels(ROUND)
        .node(
            "turn",
            (state, context) -> {
              int round = state.find(ROUND).orElse(0) + 1;
              var hold = HELD.get(context.thread().orElse(""));
              if (hold != null && hold.round() == round) {
                hold.reached().countDown();
                hold.goOn().await();
              }
              return Update.of(ROUND, round);
            })
        .edge(START, "turn")
        .route("turn", state -> state.get(ROUND) < 5 ? "turn" : END, "turn", END)
        .compile();
  }

  @Bean
  Graph painting() {
    var colour = Channel.latest("colour", String.class);
    return Graph.named("painting")
        .channels(colour)
        .questions(COLOUR)
        .node("ask", (_, context) -> Update.of(colour, context.interrupt(COLOUR, "Which one?")))
        .sequence(START, "ask", END)
        .compile();
  }

  /// Tools as a user writes them: a component that need not be public.
  @Component
  static class Orders {
    @ToolMethod("Finds an order by its number.")
    String findOrder(int number) {
      return "order " + number + " is lost";
    }

    @ToolMethod("Pays an order back.")
    String refund(int number) {
      return "paid " + number;
    }
  }

  @RestController
  @ConditionalOnWebApplication
  static class Chats {
    private final Runs runs;
    private final RunStreams streams;

    Chats(Runs runs, RunStreams streams) {
      this.runs = runs;
      this.streams = streams;
    }

    @PostMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter ask(@PathVariable String chat, @RequestBody String question) {
      return streams.of(runs.ask("desk", question, chat));
    }

    @GetMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> again(
        @PathVariable String chat,
        @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
      return streams.follow(chat, last);
    }

    @PostMapping(path = "/chats/{chat}/answers", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter answer(@PathVariable String chat, @RequestBody String answers) {
      return streams.of(runs.answer(chat, runs.answers(answers)));
    }

    @PostMapping(path = "/rounds/{thread}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter go(@PathVariable String thread) {
      return streams.of(runs.start("rounds", Input.none(), thread));
    }
  }
}
