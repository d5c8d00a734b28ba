package dev.superstep.registry;

import java.util.List;
import java.util.Optional;

/// An event of a [Registry]. Each kind has a stable name.
public sealed interface RegistryEvent {
  /// The component that the event is about; empty for [ValidationFailed].
  default Optional<ComponentId> about() {
    return switch (this) {
      case ComponentRegistered(var id) -> Optional.of(id);
      case ComponentReplaced(var id) -> Optional.of(id);
      case ComponentRemoved(var id) -> Optional.of(id);
      case AliasResolved(var alias, _) -> Optional.of(alias);
      case LookupHit(var id) -> Optional.of(id);
      case LookupMissed(var id) -> Optional.of(id);
      case ResolveCompleted(var id, _) -> Optional.of(id);
      case ResolveFailed(var id, _) -> Optional.of(id);
      case InstantiateCompleted(var id, _) -> Optional.of(id);
      case InstantiateFailed(var id, _, _) -> Optional.of(id);
      case ValidationFailed _ -> Optional.empty();
    };
  }

  /// A stable name such as `registry.component_registered`.
  default String name() {
    return "registry."
        + switch (this) {
          case ComponentRegistered _ -> "component_registered";
          case ComponentReplaced _ -> "component_replaced";
          case ComponentRemoved _ -> "component_removed";
          case AliasResolved _ -> "alias_resolved";
          case LookupHit _ -> "lookup_hit";
          case LookupMissed _ -> "lookup_missed";
          case ResolveCompleted _ -> "resolve_completed";
          case ResolveFailed _ -> "resolve_failed";
          case InstantiateCompleted _ -> "instantiate_completed";
          case InstantiateFailed _ -> "instantiate_failed";
          case ValidationFailed _ -> "validation_failed";
        };
  }

  record ComponentRegistered(ComponentId id) implements RegistryEvent {}

  record ComponentReplaced(ComponentId id) implements RegistryEvent {}

  record ComponentRemoved(ComponentId id) implements RegistryEvent {}

  /// An alias was followed to a component, or to another alias.
  record AliasResolved(ComponentId alias, ComponentId target) implements RegistryEvent {}

  record LookupHit(ComponentId id) implements RegistryEvent {}

  record LookupMissed(ComponentId id) implements RegistryEvent {}

  /// All dependencies of a component were found.
  ///
  /// @param order the dependencies, each after its own dependencies
  record ResolveCompleted(ComponentId id, List<ComponentId> order) implements RegistryEvent {
    public ResolveCompleted {
      order = List.copyOf(order);
    }
  }

  record ResolveFailed(ComponentId id, String message) implements RegistryEvent {}

  /// A factory made a component.
  ///
  /// @param run the run for which it was made
  record InstantiateCompleted(ComponentId id, String run) implements RegistryEvent {}

  record InstantiateFailed(ComponentId id, String run, String message) implements RegistryEvent {}

  /// A check of the registry found errors.
  record ValidationFailed(List<Diagnostic> errors) implements RegistryEvent {
    public ValidationFailed {
      errors = List.copyOf(errors);
    }
  }
}
