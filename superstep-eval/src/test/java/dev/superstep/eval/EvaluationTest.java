package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.eval.dataset.JsonValues;
import dev.superstep.graph.Drain;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.model.ModelException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Evaluations of functions: what is counted, saved, refused and compared.
@Timeout(120)
class EvaluationTest {
  private final Checkpointer store = new InMemoryCheckpointer();

  private static final Dataset NUMBERS =
      new Dataset(
          IntStream.range(0, 20)
              .mapToObj(i -> Case.of("n" + i, Json.of(i)).withExpected(Json.of(2 * i)))
              .toList());

  /// Doubles, and is wrong on each fifth number.
  private static Subject doubling() {
    return Subject.function(
        "doubling",
        "1",
        input -> {
          int number = input.as(Integer.class);
          return Json.of(number % 5 == 0 ? -1 : 2 * number);
        });
  }

  private static Evaluation numbers() {
    return Evaluation.named("numbers", NUMBERS, doubling()).checks(Checks.equalsExpected());
  }

  @Test
  void aFunctionIsMeasuredOnEachCase() throws InterruptedException {
    var heard = new CopyOnWriteArrayList<Trial>();
    var result = numbers().listener(heard::add).run(store);
    var summary = result.summary();
    assertThat(result.isComplete()).isTrue();
    assertThat(summary.cases()).isEqualTo(20);
    assertThat(summary.passed()).isEqualTo(16);
    assertThat(summary.passRate().estimate()).isEqualTo(0.8);
    assertThat(summary.passRate().low()).isBetween(0.55, 0.6);
    assertThat(summary.checks().getFirst().passed()).isEqualTo(16);
    assertThat(result.trials()).extracting(t -> t.item().id()).startsWith("n0", "n1", "n2");
    assertThat(result.trials("n5").getFirst().results().getFirst().verdict().reason())
        .isEqualTo("expected `10`, was `-1`");
    assertThat(heard).hasSize(20);
    assertThat(Evaluation.stored("numbers", store)).isEqualTo(result);
  }

  @Test
  void anEvaluationThatIsRunAgainMakesNothingTwice() throws InterruptedException {
    var calls = new AtomicInteger();
    var subject =
        Subject.function(
            "counting",
            "1",
            input -> {
              calls.incrementAndGet();
              return input;
            });
    var evaluation = Evaluation.named("again", NUMBERS, subject);
    var first = evaluation.run(store);
    assertThat(evaluation.run(store)).isEqualTo(first);
    assertThat(calls).hasValue(20);
    var more = evaluation.repeats(3).run(store);
    assertThat(calls).hasValue(60);
    assertThat(more.trials("n1")).extracting(Trial::repeat).containsExactly(1, 2, 3);
    assertThat(evaluation.run(store).trials()).hasSize(20);
  }

  @Test
  void onlySelectedCasesAreTried() throws InterruptedException {
    var some = numbers().only(item -> item.id().equals("n3")).run(store);
    assertThat(some.trials()).hasSize(1);
    assertThat(some.isComplete()).isTrue();
    assertThat(Evaluation.stored("numbers", store).missing()).hasSize(19);
    assertThat(numbers().run(store).trials()).hasSize(20);
  }

  @Test
  void aSubjectThatHasChangedIsRefusedOrStartedAnew() throws InterruptedException {
    var _ = numbers().run(store);
    var other = Evaluation.named("numbers", NUMBERS, doubling().withVersion("2"));
    assertThatThrownBy(() -> other.checks(Checks.equalsExpected()).run(store))
        .isInstanceOf(EvaluationChanged.class)
        .hasMessageContaining("version `1` of the subject, now `2`");
    var fixed = Subject.function("doubling", "2", input -> Json.of(2 * input.as(Integer.class)));
    var anew = Evaluation.named("numbers", NUMBERS, fixed).checks(Checks.equalsExpected());
    var result = anew.startAnew().run(store);
    assertThat(result.summary().passed()).isEqualTo(20);
    assertThat(result.manifest().generation()).isEqualTo(2);
    // The name now has results of the new one, so that nothing begins anew again.
    assertThat(anew.startAnew().run(store).manifest().generation()).isEqualTo(2);
  }

  @Test
  void aDatasetOrCheckThatHasChangedIsRefused() throws InterruptedException {
    var _ = numbers().run(store);
    var fewer = NUMBERS.only(item -> !item.id().equals("n0"));
    assertThatThrownBy(() ->
            Evaluation.named("numbers", fewer, doubling())
                .checks(Checks.equalsExpected())
                .run(store))
        .hasMessageContaining("a dataset of 20 cases")
        .hasMessageContaining("now of 19");
    assertThatThrownBy(() ->
            Evaluation.named("numbers", NUMBERS, doubling())
                .checks(Checks.containsExpected())
                .run(store))
        .isInstanceOf(EvaluationChanged.class)
        .hasMessageContaining("checks [equals");
  }

  @Test
  void aNameOrANumberThatCannotBeIsRefused() {
    assertThatThrownBy(() -> Evaluation.named("a/b", NUMBERS, doubling()))
        .hasMessageContaining("name must have 1 to 100 letters");
    assertThatThrownBy(() -> numbers().repeats(0)).hasMessageContaining("repeats");
    assertThatThrownBy(() -> numbers().checks(Checks.equalsExpected()))
        .hasMessageContaining("two checks `equals`");
    assertThatThrownBy(() -> Evaluation.stored("nothing", store))
        .isInstanceOf(UnknownEvaluation.class);
  }

  @Test
  void errorsAreResults() throws InterruptedException {
    var subject =
        Subject.function(
            "failing",
            "1",
            input -> {
              int number = input.as(Integer.class);
              if (number == 1) throw new IllegalStateException("no 1");
              if (number == 2) throw new ModelException(ModelException.Kind.OVERLOADED, "busy");
              return Json.of(2 * number);
            });
    var result =
        Evaluation.named("errors", NUMBERS, subject).checks(Checks.equalsExpected()).run(store);
    assertThat(result.summary().endings())
        .containsEntry(Ending.FAILED, 2)
        .containsEntry(Ending.ANSWERED, 18);
    var failed = result.trials("n1").getFirst();
    assertThat(failed.observation().reason()).isEqualTo("no 1");
    assertThat(failed.isPassed()).isFalse();
    assertThat(failed.results().getFirst().verdict().reason())
        .isEqualTo("not checked, since the trial ended FAILED");
    assertThat(result.trials("n2").getFirst().observation().error()).isEqualTo("model.overloaded");
  }

  @Test
  void aCaseMayExpectAnError() throws InterruptedException {
    var item = Case.of("a", "x").withEnding(Ending.FAILED);
    var subject =
        Subject.function(
            "failing",
            "1",
            _ -> {
              throw new IllegalStateException("no");
            });
    var result = Evaluation.named("expected", Dataset.of(item), subject).run(store);
    assertThat(result.summary().passed()).isEqualTo(1);
  }

  @Test
  void aTrialThatTakesTooLongIsAResult() throws InterruptedException {
    var never = new CountDownLatch(1);
    var subject =
        Subject.function(
            "slow",
            "1",
            input -> {
              if (input.as(Integer.class) == 1) never.await();
              return input;
            });
    var few = NUMBERS.only(item -> item.id().length() == 2);
    var result = Evaluation.named("slow", few, subject).timeout(Duration.ofMillis(300)).run(store);
    assertThat(result.trials("n1").getFirst().observation().ending()).isEqualTo(Ending.TIMED_OUT);
    assertThat(result.summary().passed()).isEqualTo(9);
  }

  @Test
  void aCheckThatFailsIsToldApartFromOneThatDoesNotPass() throws InterruptedException {
    var broken =
        Check.of(
            "broken",
            trial -> {
              if (trial.item().id().equals("n7")) throw new IllegalStateException("a bug");
              return Verdict.pass();
            });
    var result = numbers().checks(broken).run(store);
    var numbers = result.summary().checks().get(1);
    assertThat(numbers.errors()).isEqualTo(1);
    assertThat(numbers.passed()).isEqualTo(19);
    assertThat(result.trials("n7").getFirst().results().get(1).verdict().reason())
        .isEqualTo("the check failed: a bug");
  }

  @Test
  void twoVersionsAreComparedCaseByCase() throws InterruptedException {
    var before = numbers().run(store);
    var fixed =
        Subject.function(
            "doubling",
            "2",
            input -> Json.of(input.as(Integer.class) == 1 ? 0 : 2 * input.as(Integer.class)));
    var after =
        Evaluation.named("numbers-2", NUMBERS, fixed).checks(Checks.equalsExpected()).run(store);
    var comparison = before.comparedWith(after);
    assertThat(comparison.test().wins()).isEqualTo(4);
    assertThat(comparison.test().losses()).isEqualTo(1);
    assertThat(comparison.test().ties()).isEqualTo(15);
    assertThat(comparison.test().pValue()).isEqualTo(0.375);
    assertThat(comparison.rateDifference().estimate()).isBetween(0.1499, 0.1501);
    assertThat(comparison.unpaired()).isEmpty();
  }

  @Test
  void aCaseThatHasChangedIsNotCompared() throws InterruptedException {
    var before = numbers().run(store);
    var cases = NUMBERS.cases().stream().map(c -> c.id().equals("n1") ? c.withExpected("?") : c);
    var other = new Dataset(cases.toList());
    var after =
        Evaluation.named("other", other, doubling()).checks(Checks.equalsExpected()).run(store);
    var comparison = before.comparedWith(after);
    assertThat(comparison.unpaired()).containsExactly("n1");
    assertThat(comparison.pairs()).hasSize(19);
  }

  @Test
  void aTrialThatIsTakenBackIsMadeAgainFromThere() throws InterruptedException {
    var calls = new AtomicInteger();
    var subject =
        Subject.function(
            "counting",
            "1",
            input -> {
              calls.incrementAndGet();
              return input;
            });
    var one = Dataset.of(Case.of("a", "x"));
    var evaluation = Evaluation.named("rewound", one, subject);
    var result = evaluation.run(store);
    var thread = "eval/rewound/1/=a/1";
    var history = Threads.in(store).history(thread, Optional.empty(), 10);
    var _ = Threads.in(store).rewind(thread, history.getLast().id());
    assertThat(Evaluation.stored("rewound", store).missing()).hasSize(1);
    var again = evaluation.run(store);
    assertThat(again.trials()).hasSize(1);
    assertThat(again.trials().getFirst().item()).isEqualTo(result.trials().getFirst().item());
    // The thread of the subject was not taken back, so that it had nothing left to do.
    assertThat(calls).hasValue(1);
  }

  @Test
  void idsThatAreNoNamesOfThreadsAreKeptApart() throws InterruptedException {
    var odd =
        Dataset.of(Case.of("a/1", "x"), Case.of("a", "y"), Case.of("ä b", "z"), Case.of("=a", "w"));
    var echo = Subject.function("echo", "1", input -> Json.string(JsonValues.text(input)));
    var result = Evaluation.named("odd", odd, echo).repeats(2).run(store);
    assertThat(result.trials()).hasSize(8);
    assertThat(Evaluation.stored("odd", store)).isEqualTo(result);
  }

  @Test
  void anInterruptStopsTheEvaluationAndItGoesOnLater() throws InterruptedException {
    var begun = new CountDownLatch(2);
    var never = new CountDownLatch(1);
    var isOpen = new AtomicInteger();
    var subject =
        Subject.function(
            "waiting",
            "1",
            input -> {
              if (isOpen.get() == 0 && input.as(Integer.class) > 5) {
                begun.countDown();
                never.await();
              }
              return input;
            });
    var evaluation = Evaluation.named("interrupted", NUMBERS, subject).concurrency(2);
    var failed = new CopyOnWriteArrayList<Throwable>();
    var runner =
        Thread.ofVirtual()
            .start(() -> {
              try {
                var _ = evaluation.run(store);
              } catch (InterruptedException e) {
                failed.add(e);
              }
            });
    begun.await();
    runner.interrupt();
    runner.join();
    assertThat(failed).hasSize(1);
    assertThat(Evaluation.stored("interrupted", store).trials()).hasSize(6);
    isOpen.set(1);
    assertThat(evaluation.run(store).summary().passed()).isEqualTo(20);
  }

  @Test
  void aProcessThatDrainsLeavesTrialsForTheNextRun() throws InterruptedException {
    var calls = new AtomicInteger();
    var subject =
        Subject.function(
            "draining",
            "1",
            input -> {
              if (calls.incrementAndGet() == 3) Drain.ofProcess().start();
              return input;
            });
    var evaluation = Evaluation.named("drained", NUMBERS, subject).concurrency(1);
    try {
      var result = evaluation.run(store);
      assertThat(result.trials()).hasSize(2);
      assertThat(result.stopped()).contains("The process was asked to end.");
    } finally {
      Drain.ofProcess().stop();
    }
    assertThat(evaluation.run(store).summary().passed()).isEqualTo(20);
    assertThat(calls).hasValue(20);
  }

  @Test
  void twoRunsAtOnceShareAnEvaluation() throws Exception {
    var calls = new AtomicInteger();
    var subject =
        Subject.function(
            "counting",
            "1",
            input -> {
              calls.incrementAndGet();
              return input;
            });
    var evaluation = Evaluation.named("shared", NUMBERS, subject).concurrency(3);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var one = threads.submit(() -> evaluation.run(store));
      var other = threads.submit(() -> evaluation.run(store));
      assertThat(one.get().summary().passed()).isEqualTo(20);
      assertThat(other.get().summary().passed()).isEqualTo(20);
    }
    assertThat(calls).hasValue(20);
    assertThat(Evaluation.stored("shared", store).trials()).hasSize(20);
  }

  @Test
  void resultsMayBeEncrypted() throws InterruptedException {
    var keys = KeyRing.of("k1", new byte[32]);
    var sealed = EncryptedCheckpointer.over(store, keys);
    var result = numbers().run(sealed);
    assertThat(Evaluation.stored("numbers", sealed)).isEqualTo(result);
    assertThatThrownBy(() -> Evaluation.stored("numbers", store)).isInstanceOf(Exception.class);
  }
}
