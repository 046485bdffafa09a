package dev.springbench.mvc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.pool.ConnPoolControl;
import org.apache.hc.core5.util.TimeValue;

/**
 * A pooled connection that the upstream has closed meanwhile shows it only when it is used. The request is then sent
 * again without the idle rest of the pool, which is likely as dead.
 */
final class RetryOnClosedConnection implements HttpRequestRetryStrategy {

    private static final int MAX_ATTEMPTS = 3;

    private final ConnPoolControl<?> connections;

    RetryOnClosedConnection(ConnPoolControl<?> connections) {
        this.connections = connections;
    }

    @Override
    public boolean retryRequest(HttpRequest request, IOException failure, int attempts, HttpContext context) {
        boolean closedMeanwhile = failure instanceof NoHttpResponseException
                || failure instanceof SocketException && !(failure instanceof ConnectException);
        if (attempts >= MAX_ATTEMPTS || !closedMeanwhile) {
            return false;
        }
        connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
        return true;
    }

    @Override
    public boolean retryRequest(HttpResponse response, int attempts, HttpContext context) {
        return false;
    }

    @Override
    public TimeValue getRetryInterval(HttpResponse response, int attempts, HttpContext context) {
        return TimeValue.ZERO_MILLISECONDS;
    }
}
