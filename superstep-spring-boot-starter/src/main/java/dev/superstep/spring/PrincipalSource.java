package dev.superstep.spring;

import dev.superstep.credential.RunPrincipal;
import java.util.Optional;

/// Finds the person for whom a run works that is started on the current thread. Unless the
/// application has a bean of this type, it is the signed-in user of the current HTTP request in
/// Spring MVC, by the name of their [java.security.Principal]. Safe for many threads.
///
/// ```java
/// @Bean
/// PrincipalSource principals() {
///   return () -> Tenant.current().map(it -> new RunPrincipal(it.id() + "/" + it.user()));
/// }
/// ```
@FunctionalInterface
public interface PrincipalSource {
  /// Returns the person, or empty if there is none.
  Optional<RunPrincipal> current();
}
