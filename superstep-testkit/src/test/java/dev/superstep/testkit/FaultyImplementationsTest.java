package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.message.Message;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.Embedder;
import dev.superstep.testkit.agent.MiddlewareSuite;
import dev.superstep.testkit.model.ModelProviderSuite;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Embedders, listeners, middleware and model providers with one fault each, which their suites
/// must find; a sound one passes them.
final class FaultyImplementationsTest {
  @Nested
  final class SoundEmbedder implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return WordEmbedder.words();
    }
  }

  @Nested
  final class SoundListener implements EventListenerSuite {
    @Override
    public EventListener fresh() {
      return new EventRecorder();
    }
  }

  @Nested
  final class SoundMiddleware implements MiddlewareSuite {
    @Override
    public Middleware fresh() {
      return new Middleware() {};
    }
  }

  private interface Check {
    void run() throws Exception;
  }

  private static void finds(Check check) {
    assertThatThrownBy(check::run).isInstanceOfAny(AssertionError.class, ExecutionException.class);
  }

  /// Embeds as its rule says.
  private interface Rule extends Embedder {
    @Override
    default int dimension() {
      return 2;
    }

    @Override
    default String id() {
      return "rule";
    }
  }

  private static EmbedderSuite of(Rule rule) {
    return () -> rule;
  }

  private static float[] pair(int one, float other) {
    return new float[] {one, other};
  }

  @Test
  void an_embedder_that_gives_no_direction_or_no_number_is_found() {
    finds(
        of(texts -> texts.stream().map(text -> pair(text.length(), 0)).toList())
            ::each_text_gets_a_vector_of_finite_numbers_with_a_direction);
    finds(
        of(texts -> texts.stream().map(text -> pair(1, 1f / text.length() - 1)).toList())
            ::each_text_gets_a_vector_of_finite_numbers_with_a_direction);
  }

  @Test
  void an_embedder_whose_vectors_depend_on_the_other_texts_is_found() {
    finds(
        of(texts -> texts.stream().map(_ -> pair(1, texts.size())).toList())
            ::the_same_text_gets_the_same_vector_alone_and_among_others);
  }

  @Test
  void an_embedder_that_mixes_up_the_order_is_found() {
    finds(
        of(texts -> texts.stream().sorted().map(text -> pair(1, text.hashCode())).toList())
            ::vectors_come_in_the_order_of_their_texts);
  }

  @Test
  void an_embedder_that_takes_less_than_a_batch_is_found() {
    finds(
        of(texts -> texts.stream().limit(8).map(_ -> pair(1, 1)).toList())
            ::a_full_batch_is_accepted);
  }

  @Test
  void a_listener_that_throws_or_is_not_for_many_threads_is_found() {
    EventListenerSuite throwing =
        () ->
            event -> {
              if (event instanceof Event.RunFailed) throw new AssertionError("unforeseen");
            };
    finds(throwing::it_accepts_the_events_of_completed_interrupted_and_failed_runs);
    finds(throwing::several_runs_share_it);
  }

  @Test
  void a_middleware_that_keeps_state_of_a_run_is_found() {
    MiddlewareSuite keeping =
        () ->
            new Middleware() {
              private final AtomicInteger asked = new AtomicInteger();

              @Override
              public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
                return request;
              }

              @Override
              public ChatReply afterModel(ChatReply reply, AgentContext context) {
                return ScriptedModel.text("reply " + asked.incrementAndGet());
              }
            };
    finds(keeping::a_second_run_and_concurrent_runs_have_the_same_result_as_the_first);
  }

  @Test
  void a_middleware_that_changes_more_than_it_declares_is_found() {
    MiddlewareSuite silent =
        () ->
            new Middleware() {
              @Override
              public Touches touches() {
                return Touches.METADATA;
              }

              @Override
              public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
                var more = new ArrayList<>(request.messages());
                more.add(Message.user("and hurry"));
                return request.withMessages(more);
              }
            };
    finds(silent::other_parts_of_a_prompt_reach_the_model_unchanged);
  }

  private record Claiming(Set<String> schemes) implements ModelProvider {
    @Override
    public int rank() {
      return SMALL;
    }

    @Override
    public ChatModel open(ModelRef ref, Environment environment) {
      return ScriptedModel.saying("hi");
    }
  }

  private static ModelProviderSuite claiming(String... schemes) {
    return new ModelProviderSuite() {
      @Override
      public ModelProvider fresh() {
        return new Claiming(Set.of(schemes));
      }

      @Override
      public ModelRef ref() {
        return ModelRef.parse("acme://small");
      }
    };
  }

  @Test
  void a_provider_that_claims_a_reserved_scheme_is_found() {
    finds(claiming("acme", "local")::its_schemes_are_valid_in_a_url_and_not_reserved);
    finds(claiming("Acme", "acme")::its_schemes_are_valid_in_a_url_and_not_reserved);
  }

  @Test
  void a_provider_whose_model_goes_by_another_name_is_found() {
    finds(claiming("acme")::its_model_has_the_url_that_it_was_opened_with);
  }
}
