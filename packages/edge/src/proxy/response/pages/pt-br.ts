import type { PageTexts } from "./en.ts";

export const ptBR: PageTexts = {
  reference: "referência",
  pages: {
    400: [
      "Solicitação inválida",
      "Seu navegador ou aplicativo enviou uma solicitação que não pode ser entendida.",
    ],
    401: ["Entrar", "Este site é mostrado apenas a quem entra com uma conta."],
    403: ["Sem acesso", "Este site não é oferecido à rede de onde você vem."],
    404: [
      "Ainda não configurado",
      "Este domínio está conectado, mas ainda não há nada publicado aqui.",
    ],
    405: ["Método não permitido", "Este tipo de solicitação não é atendido aqui."],
    408: ["Tempo esgotado", "A solicitação demorou demais para chegar."],
    413: ["Envio grande demais", "O que você enviou é maior do que o aceito aqui."],
    417: ["Expectativa não atendida", "A solicitação espera algo que não é oferecido aqui."],
    421: ["Endereço errado", "Esta conexão foi aberta para outro nome. Recarregue a página."],
    429: ["Solicitações demais", "Você enviou solicitações demais. Tente de novo em instantes."],
    431: [
      "Solicitação grande demais",
      "Os cabeçalhos da solicitação são maiores do que o aceito aqui.",
    ],
    501: ["Não suportado", "O que a solicitação pede não é oferecido aqui."],
    502: [
      "Não foi possível acessar o site",
      "O servidor por trás deste domínio não respondeu corretamente.",
    ],
    503: ["Sobrecarga", "Há solicitações demais neste momento. Tente de novo em instantes."],
    504: [
      "O site está demorando demais",
      "O servidor por trás deste domínio não respondeu a tempo.",
    ],
    505: ["Versão não suportada", "Esta versão do HTTP não é oferecida aqui."],
    508: [
      "Ciclo sem fim",
      "O servidor por trás deste domínio devolve as solicitações para o lugar de onde vêm.",
    ],
    maintenance: [
      "Em manutenção",
      "Este site não está disponível no momento. Tente de novo mais tarde.",
    ],
    not_connected: [
      "Não conectado",
      "Este nome leva até aqui, mas não há nenhum site conectado a ele. Se for seu, conecte-o ou remova o registro DNS dele.",
    ],
  },
};
