package dev.springbench.mvc;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Around each request, and at work itself for so long. Without its property there is none. */
@Component
@ConditionalOnProperty("injected.filter-ns")
final class InjectedFilter implements Filter {

    private final long workNs;

    InjectedFilter(@Value("${injected.filter-ns}") long workNs) {
        this.workNs = workNs;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long end = System.nanoTime() + workNs;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        chain.doFilter(request, response);
    }
}
