// Go's http client: arguments are the URL, the CA's file, the method and the bytes to upload.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	pool := x509.NewCertPool()
	pem, _ := os.ReadFile(os.Args[2])
	pool.AppendCertsFromPEM(pem)
	client := &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: pool},
			ForceAttemptHTTP2: os.Args[5] == "2",
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				_, port, _ := net.SplitHostPort(address)
				return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+port)
			},
		},
	}
	size, _ := strconv.Atoi(os.Args[4])
	var body io.Reader
	if size > 0 {
		// Without a length, as a stream.
		body = io.MultiReader(bytes.NewReader(make([]byte, size)))
	}
	request, _ := http.NewRequest(os.Args[3], os.Args[1], body)
	response, err := client.Do(request)
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	trailer := ""
	if sum := response.Trailer.Get("X-Sum"); sum != "" {
		trailer = " with trailer " + sum
	}
	fmt.Println(strings.TrimSpace(fmt.Sprintf("%d %s%s", response.StatusCode, text, trailer)))
}
