package dev.superstep.example.guide.operations;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.event.EventListener;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ModelProvider;
import dev.superstep.model.ModelRef;
import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.store.Embedder;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.testkit.CheckpointerSuite;
import dev.superstep.testkit.EmbedderSuite;
import dev.superstep.testkit.EventListenerSuite;
import dev.superstep.testkit.StoreSuite;
import dev.superstep.testkit.VectorIndexSuite;
import dev.superstep.testkit.agent.MiddlewareSuite;
import dev.superstep.testkit.model.ModelProviderSuite;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// The parts that the guide writes pass the suites for them.
@Tag("G15")
final class OwnPartsTest {
  @Nested
  final class OwnCheckpointerTest implements CheckpointerSuite {
    @Override
    public Checkpointer fresh() {
      return new MapCheckpointer();
    }
  }

  @Nested
  final class OwnStoreTest implements StoreSuite {
    @Override
    public Store fresh(StoreOptions options) {
      return new WatchedStore(InMemoryStore.open(options), _ -> {});
    }
  }

  @Nested
  final class OwnModelsTest implements ModelProviderSuite {
    @Override
    public ModelProvider fresh() {
      return new AcmeModels();
    }

    @Override
    public ModelRef ref() {
      return ModelRef.parse("acme://small");
    }
  }

  @Nested
  final class OwnEmbedderTest implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return new LetterEmbedder();
    }
  }

  @Nested
  final class OwnIndexTest implements VectorIndexSuite {
    @Override
    public VectorIndex fresh(Embedder embedder, RetrievalListener listener) {
      return VectorIndex.over(new ListStorage(), embedder, listener);
    }
  }

  @Nested
  final class OwnMiddlewareTest implements MiddlewareSuite {
    @Override
    public Middleware fresh() {
      return new Stopwatch(_ -> {});
    }
  }

  @Nested
  final class OwnListenerTest implements EventListenerSuite {
    @Override
    public EventListener fresh() {
      return new EventCounter();
    }
  }
}
