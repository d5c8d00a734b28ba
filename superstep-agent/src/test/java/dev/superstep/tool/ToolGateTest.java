package dev.superstep.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a gate lets pass, tool by tool, and that of several rules the strictest holds.
@Tag("T66")
final class ToolGateTest {
  private record Nothing() {}

  private static Tool tool(String name) {
    return Tool.of(name, "Does it.", Nothing.class, (_, _) -> "done");
  }

  private static Tool tool(String name, ToolPolicy policy) {
    return tool(name).withPolicy(policy);
  }

  private static Class<?> decision(ToolGate gate, Tool tool) {
    return gate.judge(tool, new ToolCall("c1", tool.name(), "{}")).getClass();
  }

  @Test
  void only_the_named_tools_pass_and_without_them_only_the_others() {
    var only = ToolGate.open().only("look", "read");
    assertThat(decision(only, tool("look"))).isEqualTo(GateDecision.Allow.class);
    assertThat(decision(only, tool("erase"))).isEqualTo(GateDecision.Deny.class);
    assertThat(only.shows(tool("read"))).isTrue();
    assertThat(only.shows(tool("erase"))).isFalse();
    var without = ToolGate.open().without("look");
    assertThat(decision(without, tool("look"))).isEqualTo(GateDecision.Deny.class);
    assertThat(decision(without, tool("erase"))).isEqualTo(GateDecision.Allow.class);
  }

  @Test
  @Tag("T32")
  void a_tool_that_needs_a_sandbox_runs_only_in_one() {
    var locked = tool("lock", ToolPolicy.of(SideEffect.PAYMENT).sandboxed());
    assertThat(decision(ToolGate.open(), locked)).isEqualTo(GateDecision.Deny.class);
    assertThat(decision(ToolGate.strict(), locked)).isEqualTo(GateDecision.Deny.class);
    assertThat(decision(ToolGate.sandboxed(), locked)).isEqualTo(GateDecision.Allow.class);
    var asked = tool("lock", ToolPolicy.of(SideEffect.PAYMENT).sandboxed().approved());
    assertThat(decision(ToolGate.sandboxed(), asked)).isEqualTo(GateDecision.Confirm.class);
  }

  @Test
  void a_person_is_asked_about_the_named_tools_and_the_named_effects() {
    var pay = tool("pay", ToolPolicy.of(SideEffect.PAYMENT));
    var look = tool("look", ToolPolicy.readOnly());
    var names = ToolGate.open().confirming("look");
    assertThat(decision(names, look)).isEqualTo(GateDecision.Confirm.class);
    assertThat(decision(names, pay)).isEqualTo(GateDecision.Allow.class);
    assertThat(names.shows(look)).isTrue();
    var effects = ToolGate.open().confirming(SideEffect.PAYMENT);
    assertThat(decision(effects, look)).isEqualTo(GateDecision.Allow.class);
    assertThat(decision(effects, pay)).isEqualTo(GateDecision.Confirm.class);
  }

  @Test
  void a_strict_gate_allows_only_classified_tools() {
    assertThat(decision(ToolGate.strict(), tool("odd"))).isEqualTo(GateDecision.Deny.class);
    var look = tool("look", ToolPolicy.readOnly());
    assertThat(decision(ToolGate.strict(), look)).isEqualTo(GateDecision.Allow.class);
  }

  @Test
  void the_rules_of_two_gates_hold_together_and_each_is_asked_once() {
    var asked = new java.util.ArrayList<String>();
    ToolRule noting =
        (tool, _) -> {
          asked.add(tool.name());
          return GateDecision.allow();
        };
    var one = ToolGate.open().and(noting);
    var both = one.and(one.without("erase"));
    assertThat(decision(both, tool("look"))).isEqualTo(GateDecision.Allow.class);
    assertThat(asked).containsExactly("look");
    assertThat(decision(both, tool("erase"))).isEqualTo(GateDecision.Deny.class);
  }

  @Test
  void the_stricter_of_two_decisions_wins_and_of_equal_ones_the_first() {
    var allow = GateDecision.allow();
    var first = new GateDecision.Confirm("first");
    var second = new GateDecision.Confirm("second");
    var deny = new GateDecision.Deny("no");
    assertThat(allow.and(first)).isEqualTo(first);
    assertThat(first.and(allow)).isEqualTo(first);
    assertThat(first.and(second)).isEqualTo(first);
    assertThat(first.and(deny)).isEqualTo(deny);
    assertThat(deny.and(first)).isEqualTo(deny);
    assertThat(deny.and(new GateDecision.Deny("neither"))).isEqualTo(deny);
    assertThat(List.of(allow, first, deny).stream().reduce(allow, GateDecision::and))
        .isEqualTo(deny);
  }

  @Test
  void the_policy_of_a_tool_is_what_was_declared() {
    var pay = ToolPolicy.of(SideEffect.PAYMENT);
    assertThat(pay.isReadOnly()).isFalse();
    assertThat(ToolPolicy.UNCLASSIFIED.isReadOnly()).isFalse();
    assertThat(ToolPolicy.readOnly().isReadOnly()).isTrue();
    var effects = pay.effects();
    assertThat(pay).isEqualTo(new ToolPolicy(true, effects, false, false, false, false));
    assertThat(pay.idempotent())
        .isEqualTo(new ToolPolicy(true, effects, true, false, false, false));
    assertThat(pay.approved()).isEqualTo(new ToolPolicy(true, effects, false, true, false, false));
    assertThat(pay.sandboxed()).isEqualTo(new ToolPolicy(true, effects, false, false, true, false));
    assertThat(pay.backgroundSafe())
        .isEqualTo(new ToolPolicy(true, effects, false, false, false, true));
  }
}
