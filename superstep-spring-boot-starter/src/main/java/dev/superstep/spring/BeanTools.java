package dev.superstep.spring;

import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.Tools;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/// Collects the methods that are annotated as tools from all singletons of an application, and the
/// tools of its sources. A bean with advice, such as a transaction, is called through its proxy, so
/// the advice applies.
record BeanTools(ListableBeanFactory beans) {
  Tools collect() {
    var tools = new ArrayList<Tool>();
    for (var name : beans.getBeanDefinitionNames()) {
      var type = type(name);
      if (type == null || !hasTools(type) || !beans.isSingleton(name)) continue;
      var found = of(beans.getBean(name));
      for (var tool : found.names()) found.find(tool).ifPresent(tools::add);
    }
    var sources = beans.getBeanProvider(ToolSource.class).orderedStream().toList();
    for (var source : sources) tools.addAll(source.tools());
    return Tools.of(tools);
  }

  private @Nullable Class<?> type(String name) {
    var type = beans.getType(name, false);
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  static boolean hasTools(Class<?> type) {
    // Only user code: looking through the classes of libraries costs the start its time.
    if (type.getName().startsWith("org.springframework.")) return false;
    if (type.getName().startsWith("java.")) return false;
    return !MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<ToolMethod>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, ToolMethod.class))
        .isEmpty();
  }

  private static Tools of(Object bean) {
    if (AopUtils.isJdkDynamicProxy(bean)) {
      throw new IllegalStateException(
          "The tools of %s are behind a proxy of its interfaces, which has no such methods. Set"
                  .formatted(AopUtils.getTargetClass(bean).getName())
              + " spring.aop.proxy-target-class=true.");
    }
    try {
      var type = AopUtils.getTargetClass(bean);
      return Tools.from(bean, MethodHandles.privateLookupIn(type, MethodHandles.lookup()));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("The tools of " + bean.getClass() + " cannot be called.", e);
    }
  }
}
