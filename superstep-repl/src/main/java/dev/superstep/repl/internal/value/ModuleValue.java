package dev.superstep.repl.internal.value;

import java.util.Map;

/// A preset module, such as `math`.
public final class ModuleValue extends Value {
  private final String name;
  private final Map<String, Value> members;

  public ModuleValue(String name, Map<String, Value> members) {
    this.name = name;
    this.members = Map.copyOf(members);
  }

  public String name() {
    return name;
  }

  public Map<String, Value> members() {
    return members;
  }

  @Override
  public String typeName() {
    return "module";
  }
}
