package dev.superstep.spring;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.run.Input;
import dev.superstep.tool.Tools;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/// The application of [Shop], with WebFlux.
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@Import({Shop.Orders.class, FluxShop.Chats.class})
class FluxShop {
  private final Shop shop = new Shop();

  @Bean
  ChatModel model() {
    return shop.model();
  }

  @Bean
  Agent<String> desk(ChatModel model, Tools tools) {
    return shop.desk(model, tools);
  }

  @Bean
  Graph rounds() {
    return shop.rounds();
  }

  @RestController
  static class Chats {
    private final Runs runs;
    private final ReactiveRunStreams streams;

    Chats(Runs runs, ReactiveRunStreams streams) {
      this.runs = runs;
      this.streams = streams;
    }

    @PostMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<String>> ask(@PathVariable String chat, @RequestBody String question) {
      return streams.of(() -> runs.ask("desk", question, chat));
    }

    @GetMapping(path = "/chats/{chat}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<ResponseEntity<Flux<ServerSentEvent<String>>>> again(
        @PathVariable String chat,
        @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
      return streams.follow(chat, last);
    }

    @PostMapping(path = "/chats/{chat}/answers", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<String>> answer(@PathVariable String chat, @RequestBody String answers) {
      return streams.of(() -> runs.answer(chat, runs.answers(answers)));
    }

    @PostMapping(path = "/rounds/{thread}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<String>> go(@PathVariable String thread) {
      return streams.of(() -> runs.start("rounds", Input.none(), thread));
    }
  }
}
