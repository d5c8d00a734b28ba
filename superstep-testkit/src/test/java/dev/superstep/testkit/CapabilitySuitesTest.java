package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.BindingStorage;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.CheckpointerCapability.GraphShapes;
import dev.superstep.checkpoint.CheckpointerCapability.LeaseControl;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadListing;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadRemoval;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// A store passes the core suite without any capability, and the suite of one capability without
/// the others.
final class CapabilitySuitesTest {
  @Nested
  final class Core implements CheckpointerSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with();
    }
  }

  @Nested
  final class Listing implements CheckpointerSuite, ThreadListingSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(ThreadListing.class);
    }
  }

  @Nested
  final class Forks implements CheckpointerSuite, ThreadForksSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(ThreadForks.class);
    }
  }

  @Nested
  final class Removal implements CheckpointerSuite, ThreadRemovalSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(ThreadRemoval.class);
    }
  }

  @Nested
  final class Journal implements CheckpointerSuite, EventJournalSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(EventJournal.class);
    }
  }

  @Nested
  final class Control implements CheckpointerSuite, LeaseControlSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(LeaseControl.class);
    }
  }

  @Nested
  final class Bindings implements CheckpointerSuite, BindingStorageSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(BindingStorage.class);
    }
  }

  @Nested
  final class Shapes implements CheckpointerSuite, GraphShapesSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(GraphShapes.class);
    }
  }

  @Nested
  final class Combined implements CheckpointerSuite, CombinedCallsSuite {
    @Override
    public Checkpointer fresh() {
      return LimitedCheckpointer.with(CombinedCalls.class);
    }
  }

  @Test
  void a_store_that_claims_a_capability_without_its_suite_is_found() {
    Checkpointer claiming = LimitedCheckpointer.with(ThreadForks.class);
    CheckpointerSuite careless = () -> claiming;
    assertThatThrownBy(() -> careless.each_capability_is_tested_by_its_suite(claiming))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("ThreadForksSuite");
  }

  @Test
  void a_forwarding_checkpointer_knows_every_capability_but_combined_calls() {
    for (var type : CheckpointerCapability.class.getPermittedSubclasses()) {
      assertThat(type.isAssignableFrom(ForwardingCheckpointer.class))
          .as(type.getSimpleName())
          .isEqualTo(type != CombinedCalls.class);
    }
  }
}
