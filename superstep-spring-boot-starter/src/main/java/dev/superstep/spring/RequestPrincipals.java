package dev.superstep.spring;

import dev.superstep.credential.RunPrincipal;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.ModelMap;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.WebRequestInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// The signed-in user of the current request, kept as an attribute of the request while its handler
/// runs. Spring Security gives requests their user; so does any other filter that sets one.
final class RequestPrincipals implements PrincipalSource, WebMvcConfigurer, WebRequestInterceptor {
  private static final String USER = RequestPrincipals.class.getName() + ".user";

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addWebRequestInterceptor(this);
  }

  @Override
  public void preHandle(WebRequest request) {
    var user = request.getUserPrincipal();
    if (user != null) request.setAttribute(USER, user, RequestAttributes.SCOPE_REQUEST);
  }

  @Override
  public void postHandle(WebRequest request, @Nullable ModelMap model) {
    // The attribute ends with its request.
  }

  @Override
  public void afterCompletion(WebRequest request, @Nullable Exception error) {
    request.removeAttribute(USER, RequestAttributes.SCOPE_REQUEST);
  }

  @Override
  public Optional<RunPrincipal> current() {
    var request = RequestContextHolder.getRequestAttributes();
    if (request == null) return Optional.empty();
    return request.getAttribute(USER, RequestAttributes.SCOPE_REQUEST) instanceof Principal user
        ? of(user)
        : Optional.empty();
  }

  /// The principal of a run for a user; empty if the user has no name.
  static Optional<RunPrincipal> of(Principal user) {
    return Optional.ofNullable(user.getName())
        .filter(name -> !name.isBlank())
        .map(RunPrincipal::new);
  }

  @Override
  public String toString() {
    return "RequestPrincipals";
  }
}
