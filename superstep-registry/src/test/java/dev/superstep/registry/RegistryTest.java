package dev.superstep.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.registry.Diagnostic.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Components under names.
class RegistryTest {
  private static final Kind<Plan> PLAN = Kind.of("plan", Plan.class);
  private final Registry registry = Registry.named("desk");
  private final List<RegistryEvent> events = new ArrayList<>();

  /// Something to register.
  record Plan(String words, List<Plan> parts) {
    Plan(String words) {
      this(words, List.of());
    }
  }

  @Test
  @Tag("T109")
  void a_component_is_found_by_its_kind_and_name_with_its_own_type() {
    ChatModel model = ScriptedModel.saying("hello");
    registry.register(Component.of(Kind.MODEL, "fast", model));
    ChatModel found = registry.get(Kind.MODEL, "fast");
    assertThat(found).isSameAs(model);
    assertThat(Registry.named("other").find(Kind.MODEL, "fast")).isEmpty();
  }

  @Test
  void a_flow_is_found_by_its_name() {
    var flow = Flow.of("publish", Plan.class, String.class, (plan, _) -> plan.words());
    registry.register(Component.of(Kind.FLOW, "publish", flow));
    assertThat(registry.get(Kind.FLOW, "publish")).isSameAs(flow);
  }

  @Test
  @Tag("T109")
  void every_kind_that_superstep_knows_has_a_name_and_a_type() {
    assertThat(
            List.of(
                Kind.AGENT,
                Kind.FLOW,
                Kind.GRAPH,
                Kind.MODEL,
                Kind.TOOL,
                Kind.STORE,
                Kind.LISTENER,
                Kind.ROUTER,
                Kind.REDUCER,
                Kind.SCRIPT,
                Kind.CHECKPOINTER,
                Kind.TASK_STORE))
        .extracting(Kind::name)
        .doesNotHaveDuplicates()
        .contains("agent", "task_store");
    assertThat(Kind.GRAPH.type()).isEqualTo(Graph.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tool:weather",
        "tool:acme/weather",
        "tool:weather@2",
        "tool:acme/weather@1.4.0-rc1"
      })
  @Tag("T110")
  void an_id_is_read_as_it_is_written(String text) {
    assertThat(ComponentId.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weather",
        "tool:Weather",
        "tool:get weather",
        "tool:dev.superstep.Tool",
        "tool:a//b",
        "tool:/b",
        "tool:a@",
        "tool:a@1@2",
        "tool:wetter_ü",
        "tool:",
        "tool:a__b",
        "tool:a@../x",
        "TOOL:a"
      })
  @Tag("T110")
  void a_name_that_is_not_in_snake_case_is_refused(String text) {
    assertThatThrownBy(() -> ComponentId.parse(text)).isInstanceOf(InvalidComponentName.class);
  }

  @Test
  @Tag("T110")
  void a_second_component_of_a_name_is_refused_unless_it_is_to_replace_the_first() {
    registry.register(plan("trip"));
    assertThatThrownBy(() -> registry.register(plan("trip")))
        .isInstanceOf(DuplicateComponent.class)
        .hasMessage(
            "Registry `desk` has `plan:trip` already. Give it another name or version, or use"
                + " replace.");
    registry.replace(Component.of(PLAN, "trip", new Plan("better")));
    assertThat(registry.get(PLAN, "trip").words()).isEqualTo("better");
  }

  @Test
  @Tag("T110")
  void a_version_never_changes() {
    registry.register(plan("trip@1")).register(plan("trip@2"));
    assertThatThrownBy(() -> registry.replace(plan("trip@1"))).isInstanceOf(ImmutableVersion.class);
    assertThatThrownBy(() -> registry.remove(PLAN.id("trip@1")))
        .isInstanceOf(ImmutableVersion.class);
    assertThat(registry.get(PLAN, "trip@2").words()).isEqualTo("trip@2");
    assertThatThrownBy(() -> registry.get(PLAN, "trip"))
        .isInstanceOf(UnknownComponent.class)
        .hasMessage("Registry `desk` has no `plan:trip`. Did you mean `plan:trip@1`?");
  }

  @Test
  @Tag("T113")
  void an_unknown_name_is_an_error_that_suggests_the_nearest() {
    registry.register(plan("acme/journey"));
    assertThatThrownBy(() -> registry.get(PLAN, "acme/jurney"))
        .hasMessageEndingWith("Did you mean `plan:acme/journey`?");
    assertThatThrownBy(() -> registry.get(PLAN, "xyz")).hasMessageEndingWith("Register it first.");
  }

  @Test
  @Tag("T113")
  void an_object_of_another_type_than_its_kind_is_refused() {
    var text = Kind.of("plan", String.class);
    registry.register(Component.of(text, "words", "hello"));
    assertThatThrownBy(() -> registry.get(PLAN, "words"))
        .isInstanceOf(WrongType.class)
        .hasMessageStartingWith("`plan:words` should be a Plan and is a String.");
  }

  @Test
  @Tag("T111")
  void an_alias_is_resolved_before_components_are_looked_at() {
    registry.register(plan("trip@1")).register(plan("trip@2")).register(plan("best"));
    registry.alias(PLAN, "trip", "trip@2").alias(PLAN, "best", "trip").listener(events::add);
    assertThat(registry.get(PLAN, "best").words()).isEqualTo("trip@2");
    assertThat(events)
        .containsExactly(
            new RegistryEvent.AliasResolved(PLAN.id("best"), PLAN.id("trip")),
            new RegistryEvent.AliasResolved(PLAN.id("trip"), PLAN.id("trip@2")),
            new RegistryEvent.LookupHit(PLAN.id("trip@2")));
  }

  @Test
  @Tag("T113")
  void a_component_per_run_and_its_dependencies_are_each_made_once() {
    var made = new AtomicInteger();
    registry.register(
        Component.perRun(PLAN, "leaf", parts -> new Plan(parts.run() + made.incrementAndGet())));
    for (var name : List.of("left", "right")) {
      registry.register(
          Component.perRun(
                  PLAN, name, parts -> new Plan(name, List.of(parts.get(PLAN, "any_leaf"))))
              .withDependencies("plan:leaf"));
    }
    registry.alias(PLAN, "any_leaf", "leaf");
    registry.register(
        Component.perRun(
                PLAN,
                "tree",
                parts ->
                    new Plan("tree", List.of(parts.get(PLAN, "left"), parts.get(PLAN, "right"))))
            .withDependencies("plan:left", "plan:right"));
    assertThat(made).hasValue(0);

    var first = registry.instantiate(PLAN, "tree", "run-a");
    assertThat(first.parts()).allMatch(part -> part.parts().equals(List.of(new Plan("run-a1"))));
    var second = registry.instantiate(PLAN, "tree", "run-b");
    assertThat(second.parts().getFirst().parts()).containsExactly(new Plan("run-b2"));
    assertThat(registry.resolve(PLAN.id("tree")))
        .containsExactly(PLAN.id("leaf"), PLAN.id("left"), PLAN.id("right"));
    assertThatThrownBy(() -> registry.get(PLAN, "tree")).isInstanceOf(NotASingleton.class);
  }

  @Test
  @Tag("T113")
  void a_factory_gets_nothing_that_it_did_not_declare() {
    registry.register(plan("secret"));
    registry.register(Component.perRun(PLAN, "spy", parts -> parts.get(PLAN, "secret")));
    assertThatThrownBy(() -> registry.instantiate(PLAN, "spy", "r"))
        .isInstanceOf(InstantiationFailed.class)
        .hasCauseInstanceOf(UndeclaredDependency.class);
  }

  @Test
  @Tag("T113")
  @Tag("T123")
  void a_failing_factory_is_reported_with_its_cause() {
    registry.listener(events::add);
    registry.register(
        Component.perRun(
            PLAN,
            "broken",
            _ -> {
              throw new IOException("no disk");
            }));
    assertThatThrownBy(() -> registry.instantiate(PLAN, "broken", "r"))
        .isInstanceOf(InstantiationFailed.class)
        .hasMessage("`plan:broken` could not be made: no disk. See the cause.");
    assertThat(events.getLast())
        .isEqualTo(new RegistryEvent.InstantiateFailed(PLAN.id("broken"), "r", "no disk"));
  }

  @Test
  @Tag("T113")
  void missing_dependencies_and_cycles_are_reported_before_anything_is_made() {
    var made = new AtomicInteger();
    registry.register(
        Component.perRun(PLAN, "a", _ -> new Plan("a" + made.incrementAndGet()))
            .withDependencies("plan:b"));
    assertThatThrownBy(() -> registry.instantiate(PLAN, "a", "r"))
        .isInstanceOf(MissingDependency.class)
        .hasMessage("`plan:a` depends on `plan:b`, which is not registered. Register it first.");
    registry.register(
        Component.perRun(PLAN, "b", _ -> new Plan("b" + made.incrementAndGet()))
            .withDependencies("plan:a"));
    assertThatThrownBy(() -> registry.instantiate(PLAN, "a", "r"))
        .isInstanceOf(DependencyCycle.class)
        .hasMessageContaining("plan:a -> plan:b -> plan:a");
    assertThat(made).hasValue(0);
  }

  @Test
  @Tag("T113")
  void a_locked_registry_refuses_every_change_and_still_finds() {
    registry.register(plan("trip")).lock();
    assertThatThrownBy(() -> registry.register(plan("b"))).isInstanceOf(RegistryLocked.class);
    assertThatThrownBy(() -> registry.replace(plan("trip"))).isInstanceOf(RegistryLocked.class);
    assertThatThrownBy(() -> registry.remove(PLAN.id("trip"))).isInstanceOf(RegistryLocked.class);
    assertThatThrownBy(() -> registry.alias(PLAN, "a", "trip")).isInstanceOf(RegistryLocked.class);
    assertThat(registry.get(PLAN, "trip")).isNotNull();
    assertThat(registry.isLocked()).isTrue();
  }

  @Test
  @Tag("T112")
  @Tag("T132")
  void a_snapshot_is_sorted_and_can_be_stored() {
    registry
        .register(plan("b").withTags("z", "a").withDescription("Words."))
        .register(plan("a").withDependencies("plan:b"))
        .register(Component.of(Kind.SCRIPT, "c", "…"))
        .register(Component.perRun(PLAN, "ns/a@2", _ -> new Plan("x")))
        .alias(PLAN, "z", "b")
        .alias(PLAN, "y", "b");
    var snapshot = registry.snapshot();
    assertThat(snapshot.components())
        .extracting(each -> each.id().text())
        .containsExactly("plan:a", "plan:ns/a@2", "plan:b", "script:c");
    assertThat(snapshot.aliases())
        .extracting(each -> each.alias().local())
        .containsExactly("y", "z");
    assertThat(RegistrySnapshot.parse(snapshot.json())).isEqualTo(snapshot);
    assertThat(registry.describe(PLAN.id("z")).tags()).containsExactly("a", "z");
    assertThat(registry.list(Kind.SCRIPT)).hasSize(1);
    assertThat(snapshot.dot())
        .isEqualTo(
            """
            digraph "desk" {
              node [shape=box]
              subgraph cluster_plan {
                label="plan"
                "plan:a" [label="a"]
                "plan:ns/a@2" [label="ns/a@2", peripheries=2]
                "plan:b" [label="b"]
              }
              subgraph cluster_script {
                label="script"
                "script:c" [label="c"]
              }
              "plan:a" -> "plan:b"
              "plan:y" -> "plan:b" [style=dashed]
              "plan:z" -> "plan:b" [style=dashed]
            }
            """);
  }

  @Test
  @Tag("T112")
  @Tag("T123")
  void a_diagnosis_lists_all_errors_and_warnings() {
    registry
        .listener(events::add)
        .register(plan("trip"))
        .register(plan("needy").withDependencies("plan:none"))
        .register(plan("egg").withDependencies("plan:hen"))
        .register(plan("hen").withDependencies("plan:egg"))
        .register(Component.of(Kind.SCRIPT, "trip", "…"))
        .alias(PLAN, "trip", "hen")
        .alias(PLAN, "gone", "away")
        .alias(PLAN, "left", "right")
        .alias(PLAN, "right", "left");
    assertThat(registry.diagnose())
        .extracting(each -> each.severity() + " " + each.code() + " " + each.about())
        .containsExactlyInAnyOrder(
            "WARNING alias-shadows-component plan:trip",
            "ERROR dangling-alias plan:gone",
            "ERROR alias-loop plan:left",
            "ERROR alias-loop plan:right",
            "ERROR missing-dependency plan:needy",
            "ERROR dependency-cycle plan:egg",
            "ERROR dependency-cycle plan:hen",
            "WARNING name-reused plan:trip");
    assertThat(events.getLast())
        .isInstanceOfSatisfying(
            RegistryEvent.ValidationFailed.class,
            failed ->
                assertThat(failed.errors())
                    .hasSize(6)
                    .allMatch(each -> each.severity() == Severity.ERROR));
  }

  @Test
  @Tag("T123")
  void every_change_and_every_lookup_is_published() {
    registry.listener(event -> {
      throw new IllegalStateException("a listener that throws harms nobody");
    });
    registry.listener(events::add);
    registry.register(plan("a")).replace(plan("a")).replace(plan("b")).remove(PLAN.id("b"));
    registry.get(PLAN, "a");
    registry.find(PLAN, "b");
    registry.instantiate(PLAN, "a", "r");
    assertThat(events)
        .extracting(RegistryEvent::name)
        .containsExactly(
            "registry.component_registered",
            "registry.component_replaced",
            "registry.component_registered",
            "registry.component_removed",
            "registry.lookup_hit",
            "registry.lookup_missed",
            "registry.lookup_hit",
            "registry.resolve_completed");
    assertThat(events).allMatch(event -> event.about().isPresent());
  }

  /// Compared with following the aliases by hand, over random ones with loops and loose ends.
  @Test
  @Tag("T111")
  void alias_resolution_matches_a_simple_model() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      var registry = Registry.named("random");
      var targets = new int[12];
      for (int i = 0; i < targets.length; i++) {
        targets[i] = random.nextInt(4) == 0 ? -1 : random.nextInt(targets.length);
        if (targets[i] >= 0) registry.alias(PLAN, "n" + i, "n" + targets[i]);
        if (random.nextBoolean()) registry.register(plan("n" + i));
      }
      for (int i = 0; i < targets.length; i++) check(registry, targets, i, "seed " + seed);
    }
  }

  private static void check(Registry registry, int[] targets, int start, String seed) {
    var seen = new HashSet<Integer>();
    int at = start;
    while (targets[at] >= 0 && seen.add(at)) at = targets[at];
    var end = "n" + at;
    boolean loops = targets[at] >= 0;
    boolean there = registry.list(PLAN).stream().anyMatch(each -> each.id().name().equals(end));
    if (loops) {
      assertThatThrownBy(() -> registry.get(PLAN, "n" + start))
          .as(seed)
          .isInstanceOf(AliasLoop.class);
    } else if (there) {
      assertThat(registry.get(PLAN, "n" + start).words()).as(seed).isEqualTo(end);
    } else {
      assertThat(registry.find(PLAN, "n" + start)).as(seed).isEmpty();
    }
  }

  private static Component<Plan> plan(String name) {
    return Component.of(PLAN, name, new Plan(name));
  }
}
