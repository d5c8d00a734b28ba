package dev.superstep.langchain4j;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.superstep.middleware.Secrets;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;

/// Errors in both forms.
final class ErrorConversions {
  private ErrorConversions() {}

  static ModelException fromLangChain4j(ModelRef ref, Throwable error) {
    if (error instanceof ModelException known) return known;
    var kind =
        switch (error) {
          case AuthenticationException _ -> Kind.AUTH;
          case RateLimitException _ -> Kind.RATE_LIMITED;
          case TimeoutException _ -> Kind.TIMEOUT;
          case ContentFilteredException _ -> Kind.REFUSED;
          case ModelNotFoundException _ -> Kind.UNAVAILABLE;
          case UnresolvedModelServerException _ -> Kind.TRANSPORT;
          case InternalServerException _ -> Kind.OVERLOADED;
          case InvalidRequestException _, UnsupportedFeatureException _ -> Kind.BAD_REQUEST;
          case IllegalArgumentException _ -> Kind.BAD_REQUEST;
          case HttpException http -> http.statusCode() >= 500 ? Kind.OVERLOADED : Kind.BAD_REQUEST;
          default -> Kind.MALFORMED;
        };
    var what = Secrets.hide(String.valueOf(error.getMessage()));
    return new ModelException(
        kind, "LangChain4j failed: %s (`%s`).".formatted(what, ref), null, error);
  }

  static LangChain4jException toLangChain4j(ModelException error) {
    var message = String.valueOf(error.getMessage());
    return switch (error.kind()) {
      case AUTH -> new AuthenticationException(message, error);
      case RATE_LIMITED -> new RateLimitException(message, error);
      case TIMEOUT -> new TimeoutException(message, error);
      case REFUSED -> new ContentFilteredException(message, error);
      case UNAVAILABLE, BAD_URL -> new ModelNotFoundException(message, error);
      case OVERLOADED, TRANSPORT, MALFORMED -> new InternalServerException(message, error);
      case TOO_LARGE, QUOTA -> new NonRetriableException(message, error);
      case BAD_REQUEST, CONTEXT_LENGTH -> new InvalidRequestException(message, error);
    };
  }
}
