// A product whose customers bring their own domains, with the standard library only.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

var (
	baseURL       = setting("MOORING_URL")
	apiKey        = setting("MOORING_API_KEY")
	applicationID = setting("MOORING_APP")
	webhookSecret = setting("MOORING_WEBHOOK_SECRET")
	client        = &http.Client{Timeout: 10 * time.Second}
)

type Domain struct {
	Customer string
	State    string
	Sequence int
}

// Stands in for a table of your database: your customers' domains, by the connection's id.
var domains = struct {
	sync.Mutex
	rows map[string]Domain
}{rows: map[string]Domain{}}

// region origin
// A request through the edge carries its assertion. Any other request is for your own site.
func customerSites(own http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assertions := r.Header.Values("X-Svc-Assertion")
		if len(assertions) == 0 {
			own.ServeHTTP(w, r)
			return
		}
		visited, err := verifyAssertion(assertions[0])
		if err != nil || len(assertions) != 1 {
			http.Error(w, "Forbidden", http.StatusForbidden)
			return
		}
		if visited.Customer == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "%s is the shop of %s\n", visited.Hostname, visited.Customer)
	})
}

// end region

// region token
func svcToken(w http.ResponseWriter, r *http.Request) {
	customer, isSignedIn := signedInCustomer(r)
	if !isSignedIn {
		http.Error(w, "Sign in first", http.StatusUnauthorized)
		return
	}
	wanted, _ := json.Marshal(map[string]string{"application_id": applicationID, "customer_ref": customer})
	request, _ := http.NewRequest("POST", baseURL+"/v1/tokens", bytes.NewReader(wanted))
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	var minted struct {
		Token string `json:"auth_token"`
	}
	answer, err := client.Do(request)
	if err == nil {
		defer answer.Body.Close()
		err = json.NewDecoder(answer.Body).Decode(&minted)
	}
	if err != nil || answer.StatusCode != http.StatusCreated {
		http.Error(w, "Try again later", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(map[string]string{
		"baseUrl": baseURL, "applicationId": applicationID, "token": minted.Token,
	})
}

// Replace it with your session. Never take the customer from the request's own words.
func signedInCustomer(_ *http.Request) (string, bool) {
	return os.LookupEnv("DEMO_CUSTOMER")
}

// end region

// region webhook
func webhooks(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, "Bad request", http.StatusBadRequest)
		return
	}
	event, err := verifyWebhook(body, r.Header, webhookSecret)
	if err != nil {
		http.Error(w, "Bad request", http.StatusBadRequest)
		return
	}
	if connection := event.Data.Connection; connection != nil {
		domains.Lock()
		// Events may arrive twice and out of order.
		if event.Sequence > domains.rows[connection.ID].Sequence {
			domains.rows[connection.ID] = Domain{connection.CustomerRef, connection.State, event.Sequence}
		}
		domains.Unlock()
	}
	w.WriteHeader(http.StatusNoContent)
}

// end region

func main() {
	own := http.NewServeMux()
	own.HandleFunc("/svc-token", svcToken)
	own.HandleFunc("/webhooks", webhooks)
	own.HandleFunc("/settings", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "../settings.html")
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, customerSites(own)))
}

func setting(name string) string {
	value, isSet := os.LookupEnv(name)
	if !isSet {
		log.Fatalf("%s is not set", name)
	}
	return value
}
