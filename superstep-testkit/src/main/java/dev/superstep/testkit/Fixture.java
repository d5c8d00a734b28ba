package dev.superstep.testkit;

import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Opens what a suite is about for each test that takes it as a parameter, and closes it after that
/// test. Safe for many threads.
///
/// @param <T> what the tests take
public class Fixture<T extends AutoCloseable>
    implements ParameterResolver, AfterTestExecutionCallback {
  private static final ExtensionContext.Namespace OPENED =
      ExtensionContext.Namespace.create(Fixture.class);
  private final Class<T> type;
  private final Function<Object, T> opener;

  /// @param opener opens one for the instance of a suite
  protected Fixture(Class<T> type, Function<Object, T> opener) {
    this.type = type;
    this.opener = opener;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == type;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    var opened = opener.apply(test.getRequiredTestInstance());
    test.getStore(OPENED).put(type, opened);
    return opened;
  }

  /// Closes before the test's own clean-up, which may take away what the store stands on.
  @Override
  public void afterTestExecution(ExtensionContext test) throws Exception {
    var opened = test.getStore(OPENED).remove(type, type);
    if (opened != null) opened.close();
  }
}
